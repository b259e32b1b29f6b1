"""The tables and figures of five papers in virtual time, with the real P4 program and policies.

From the ground up; a floor knows only those below it:

    p4bs         a policy that no operator needs, registered with those of p4abs
    network      what is simulated: links with buffers, traffic, times; plain data
    simulation   one cell: ns-3, the P4 program and the controller's objects until the time is over
    run          many cells: each once, in a process of its own, stored under a key
    experiment   what an experiment is: cells, static optima, a table, figures, findings
    size         all of an experiment, or a slice that takes seconds
    output       what a run leaves behind: figures, tables, provenance
    papers       the experiments, a package for each paper
    families     those of no paper of the seeds: whatever else a link may meet
    registry     all experiments by name
    campaign     several experiments as one run
    command      what `p4abs experiment` does, `confirmation`, what `p4abs confirm` does, and `cli`,
                 how they are asked
    report       one page of what experiments left behind, from their files alone

A cell goes down and its result comes up: an experiment names its cells, the scheduler gives those
that the store does not have to the workers, a process simulates each, and the experiment makes a
table, figures and findings of the results.
"""
