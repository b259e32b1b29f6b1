"""What BMv2 knows besides P4Runtime: names in its JSON, nodes of multicast groups, mirroring."""
