"""The demonstrations of jafingerhut/p4-guide with packet tests; why some fail, kept by hand."""
