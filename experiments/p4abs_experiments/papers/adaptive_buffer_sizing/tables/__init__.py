"""Tables 1 to 3, and the laws compared on the links of Tables 2 and 3."""
