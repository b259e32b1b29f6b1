"""The papers whose tables and figures are simulated, a package each.

    seed000  adaptive_buffer_sizing   Zhang and Loguinov: the ABS law
    seed001  sizing_router_buffers    Appenzeller, Keslassy and McKeown: the square root rule
    seed002  adaptive_drop_tail       Stanojevic and Shorten: ADT
    seed003  optimal_buffer_size      Avrachenkov, Ayesta and Piunovskiy: the fluid model
    seed004  sla_perspective          Sommers, Barford, Greenberg and Willinger: service levels

`dumbbell` is the link that several of them share. A paper's number begins the names of its
experiments, which stay as they are: results are kept under them. A module is called after the
tables and figures that it holds.
"""
