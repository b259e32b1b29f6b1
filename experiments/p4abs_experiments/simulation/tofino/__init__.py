"""Links behind the arithmetic of the Tofino programs, with the simulator as it is.

The program is the ingress of p4src/tna compiled for v1model: registers of the same widths, tables
with the same actions, time from a stamp that each packet brings (p4src/tna/on_v1model.p4). It
decides what is dropped; what it counts goes to the law by its mailbox, read as the controller reads
a Tofino's. What is measured of a link is the simulator's own count.

It drains at 1 to 400 Gb/s, the tables' links send 2 to 1024 Mb/s. So its time is scaled: a stamp is
the simulation's time multiplied by capacity / clock, and a reply's stamp is divided by that. A
frame then meets what it meets on a link of the clock's rate: the same bytes for each step of 8 ns,
the same ticks of silence, the same limits in bytes. One thing is coarser than on a chip: control
intervals and round-trip times, which a chip sees in as many nanoseconds as they last, are shorter
by the same factor, so that the steps are larger beside them.

    program       the compiled program
    scaled_clock  its stamps as the simulation's time
    mailbox       requests and replies
    control       one link under control
    simulate      a cell with such links
"""
