"""Parts of P4Runtime messages, such as keys, actions and counter values, to and from the engine."""
