//! Actions and their parameters (`p4/v1/p4runtime.proto`).

messages! {
    message Action {
        uint32 action_id = 1;
        repeated Param params = 4;
    }

    message Param {
        uint32 param_id = 2;
        bytes value = 3;
    }

    message ActionProfileAction {
        Action action = 1;
        int32 weight = 2;
        oneof WatchKind watch_kind {
            int32 Watch = 3;
            bytes WatchPort = 4;
        }
    }
}
