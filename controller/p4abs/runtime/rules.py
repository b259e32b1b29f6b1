"""The rules of a switch for table entries, checked before anything is written."""

from finsy.proto import p4i, p4r

from p4abs.runtime.values import RuntimeFileError

_WITH_PRIORITY = (p4i.MatchField.TERNARY, p4i.MatchField.RANGE, p4i.MatchField.OPTIONAL)


def check(p4info: p4i.P4Info, table: p4i.Table, entry: p4r.TableEntry) -> None:
    """Raises RuntimeFileError for an entry that no switch takes."""
    if table.implementation_id:
        raise RuntimeFileError(
            f"table {table.preamble.name} has an action profile, which runtime files cannot fill; "
            "use table_indirect_add of `p4abs cli`"
        )
    if entry.is_default_action:
        _check_default(table, entry)
    else:
        _check_entry(table, entry)
    if entry.HasField("action"):
        _check_action(p4info, table, entry)


def _check_default(table: p4i.Table, entry: p4r.TableEntry) -> None:
    name = table.preamble.name
    if table.const_default_action_id:
        raise RuntimeFileError(f"the default action of table {name} is constant")
    if entry.match or entry.priority:
        raise RuntimeFileError(
            f'a default action of table {name} takes no "match" and no "priority"'
        )


def _check_entry(table: p4i.Table, entry: p4r.TableEntry) -> None:
    name = table.preamble.name
    if table.is_const_table:
        raise RuntimeFileError(f"the entries of table {name} are constant")
    if not table.match_fields:
        raise RuntimeFileError(f'table {name} has no key: it takes only a "default_action"')
    if not entry.HasField("action"):
        raise RuntimeFileError(f'an entry of table {name} needs an "action_name"')
    _check_exact_fields(table, entry)
    kinds = {field.match_type for field in table.match_fields}
    if kinds.isdisjoint(_WITH_PRIORITY):
        if entry.priority:
            raise RuntimeFileError(
                f'table {name} takes no "priority": its key has no ternary, range or optional field'
            )
    elif not entry.priority:
        raise RuntimeFileError(
            f'an entry of table {name} needs a "priority" of 1 or more; the highest wins'
        )


def _check_exact_fields(table: p4i.Table, entry: p4r.TableEntry) -> None:
    given = {match.field_id for match in entry.match}
    missing = [
        field.name
        for field in table.match_fields
        if field.match_type == p4i.MatchField.EXACT and field.id not in given
    ]
    if missing:
        hint = "" if given else '; for the default action write "default_action": true'
        raise RuntimeFileError(
            f"key field{'s' if len(missing) > 1 else ''} {', '.join(missing)} of table "
            f"{table.preamble.name} missing: give all exact fields{hint}"
        )


def _check_action(p4info: p4i.P4Info, table: p4i.Table, entry: p4r.TableEntry) -> None:
    message = entry.action.action
    [action] = [each for each in p4info.actions if each.preamble.id == message.action_id]
    name = action.preamble.name
    given = {parameter.param_id for parameter in message.params}
    missing = [each.name for each in action.params if each.id not in given]
    if missing:
        raise RuntimeFileError(f"action {name} needs {', '.join(map(repr, missing))}")
    [scope] = {each.scope for each in table.action_refs if each.id == message.action_id}
    if scope == p4i.ActionRef.DEFAULT_ONLY and not entry.is_default_action:
        raise RuntimeFileError(
            f"action {name} of table {table.preamble.name} is allowed as default action only"
        )
    if scope == p4i.ActionRef.TABLE_ONLY and entry.is_default_action:
        raise RuntimeFileError(
            f"action {name} of table {table.preamble.name} is allowed in entries only"
        )
