"""The exercises of p4lang/tutorials with their solutions.

From the ground up: `running_lab`: the hosts of an exercise that runs, and the files they write;
`exercises`: what each exercise's own instructions say that one sees, as checks that can fail;
`solved`: copies of exercises with their solutions, in namespaces of their own.
"""
