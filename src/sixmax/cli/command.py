"""The command of a function: its parameters are the options, its docstring is the help."""

import inspect
import math
import re
import types
from collections.abc import Callable, Iterator
from json import loads
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import click

from sixmax.base.config_section import Section, each_once
from sixmax.base.errors import did_you_mean
from sixmax.base.options import Option, Setting, found_run

_FILE = click.Path(path_type=Path)
_LEFT_OUT = ("Raises ", "Returns ")  # paragraphs of a docstring that are about Python
_NO_DEFAULT = inspect.Parameter.empty


class _Declared(NamedTuple):
    """A parameter that is an option, or a field of a parameter that is a group of options."""

    name: str
    base: Any  # its type
    option: Option
    default: Any
    group: str  # the parameter that it is a field of, or ""


def command(name: str, function: Callable[..., Any]) -> click.Command:
    """The command ``name`` that calls ``function`` with its options.

    A text or a list of lines that the function returns is printed; a number is the exit code.
    """
    declared, groups = list(_declared(function)), _groups(function)
    own = {each.name for each in declared}
    if any(each.option.kind == "search" for each in declared) and "setting" not in own:
        declared.append(_Declared("setting", *_option(Setting), "full", ""))

    def call(**values: Any) -> None:
        values |= {each.name: _plain(values, each) for each in declared}
        if "setting" not in own:
            values.pop("setting", None)
        for parameter, group in groups.items():
            fields = [each.name for each in declared if each.group == parameter]
            values[parameter] = group(**{field: values.pop(field) for field in fields})
        result, code = function(**values), 0
        if isinstance(result, tuple):
            result, code = result
        if isinstance(result, list):
            result = "\n".join(result)
        if isinstance(result, str):
            click.echo(result)
        click.get_current_context().exit(result if isinstance(result, int) else code)

    params = [_parameter(each) for each in declared]
    text = "\n\n".join([help_text(function), *_choices(declared, function)])
    return click.Command(name, params=params, callback=call, help=text)


def help_text(function: Callable[..., Any]) -> str:
    """The docstring of ``function``, without its paragraphs about Python."""
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    kept = [text for text in paragraphs if not text.startswith(_LEFT_OUT)]
    return "\n\n".join(re.sub(r"``([^`]*)``", r"`\1`", text) for text in kept)


def _choices(declared: list[_Declared], function: Callable[..., Any]) -> Iterator[str]:
    """A line for each argument of some words of which the docstring says nothing."""
    for option in (each.option for each in declared if each.option.argument):
        if option.choices and option.metavar not in (inspect.getdoc(function) or "").split():
            yield f"{option.metavar}: {', '.join(option.choices)}."


def _groups(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters that are a NamedTuple of options."""
    hints = get_type_hints(function)
    return {name: hint for name, hint in hints.items() if hasattr(hint, "_field_defaults")}


def _declared(function: Callable[..., Any]) -> Iterator[_Declared]:
    """Every parameter with an Option, and every field of a group."""
    hints, groups = get_type_hints(function, include_extras=True), _groups(function)
    for parameter in inspect.signature(function).parameters.values():
        group = groups.get(parameter.name)
        if group is None:
            rows = [(parameter.name, hints.get(parameter.name), parameter.default, "")]
        else:
            fields = get_type_hints(group, include_extras=True)
            given = group._field_defaults
            rows = [(f, fields[f], given.get(f, _NO_DEFAULT), parameter.name) for f in fields]
        for name, hint, default, of in rows:
            base, option = _option(hint)
            if option is not None:
                if default is _NO_DEFAULT and (option.default is not None or _may_be_none(hint)):
                    default = option.default
                yield _Declared(name, base, option, default, of)


def _option(hint: Any) -> tuple[Any, Option | None]:
    """The type in an annotation, and its last Option."""
    if _may_be_none(hint):
        hint = next(each for each in get_args(hint) if each is not type(None))
    if get_origin(hint) is not Annotated:
        return hint, None
    base, *more = get_args(hint)
    return base, next((each for each in reversed(more) if isinstance(each, Option)), None)


def _may_be_none(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _parameter(declared: _Declared) -> click.Parameter:
    """The click parameter of one that is declared."""
    name, base, option, default, _ = declared
    required = default is _NO_DEFAULT and option.kind not in ("found-run", "search")
    if option.argument:
        several = get_origin(base) is list
        more = {"nargs": -1} if several else {} if required else {"default": default}
        more |= {"metavar": option.metavar} if option.metavar else {}
        kind = _type(get_args(base)[0] if several else base, option)
        return click.Argument([name], type=kind, required=required, **more)
    flag = option.flag or f"--{name.replace('_', '-')}"
    if base is bool:
        switch = {} if "/" in flag else {"is_flag": True}
        return click.Option([flag, name], default=default is True, help=option.help, **switch)
    if option.kind == "found-run":
        default = found_run
    given = {} if default is _NO_DEFAULT else {"default": default}  # None would be one, too
    shown = default is not _NO_DEFAULT and not callable(default) and default not in (None, "")
    return click.Option(
        [flag, name], type=_type(get_args(base)[0] if option.many else base, option),
        required=required, multiple=option.many, envvar=option.variable or None, **given,
        show_default=shown, help=option.help,
    )  # fmt: skip


def _type(base: Any, option: Option) -> Callable[[Any], Any] | click.ParamType:
    """The type of the values of one option."""
    if option.choices:
        return Choice(tuple(option.choices))
    if base is Path:
        return path if "run" in option.kind else _FILE
    if base in (int, float):
        least = option.least if option.above is None else option.above
        if least is None and option.most is None:
            return click.INT if base is int else click.FLOAT
        bounds = {"min": least, "max": option.most, "min_open": option.above is not None}
        return click.IntRange(**bounds) if base is int else Real(**bounds)
    if (get_origin(base) or base) is dict:
        return json
    if get_origin(base) is tuple:
        return click.Tuple([click.IntRange(min=option.least)] * len(get_args(base)))
    if get_origin(base) is list:
        return counts if get_args(base)[0] is int else seats if option.kind == "seats" else names
    return click.STRING


def _plain(values: dict[str, Any], declared: _Declared) -> Any:
    """A value as the function wants it: a list, or a checked section of a config."""
    value, base, option = values[declared.name], declared.base, declared.option
    if option.kind == "search" and (value is not None or declared.default is not None):
        from sixmax.search.settings import search_config

        return search_config(value, values["setting"] or "full", values.get("folder"))
    if isinstance(value, tuple) and get_origin(base) is list:
        return list(value)
    if isinstance(value, str) and isinstance(base, type) and issubclass(base, Section):
        return base.parse_json(value, option.kind.removesuffix(" section") or declared.name)
    return value


def path(value: str | Path) -> Path:
    """The folder of a run; a packed file is unpacked first, once, into a cache."""
    if not (run := Path(value)).is_file():
        return run
    from sixmax.blueprint.packed import folder_of

    return folder_of(run)


class Choice(click.Choice):
    """One of some words; the message of a misspelt one names the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: Any) -> str:
        message = super().get_invalid_choice_message(value, ctx)
        hint = did_you_mean(str(value), self.choices)
        return f"{message.removesuffix('.')}; {hint}" if hint else message


class Real(click.FloatRange):
    """A finite number within bounds."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"found {value}, wanted a finite number", param, ctx)
        return number


def counts(value: Any) -> list[int]:
    """Whole numbers above 0, separated by commas; "" is none."""
    words = [str(word) for word in _words(value)] if value != "" else []
    if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
        raise click.BadParameter(f"found {value!r}, wanted whole numbers above 0, as in 4,5,6")
    return [int(word) for word in words]


def _words(value: Any) -> list[Any]:
    return [word.strip() for word in value.split(",")] if isinstance(value, str) else value


def seats(value: Any) -> list[str]:
    """Words separated by commas."""
    if not all(words := _words(value)):
        raise click.BadParameter(f"found {value!r}, wanted names, as in blueprint or rule,search")
    return words


def names(value: Any) -> list[str]:
    """Words separated by commas, each once."""
    if not all(words := _words(value)) or len(set(words)) < len(words):
        raise click.BadParameter(f"found {value!r}, wanted names, each once, as in rule,call")
    return words


def json(value: Any) -> dict[str, Any]:
    """An object in JSON."""
    if isinstance(value, dict):
        return value
    try:
        values = loads(value, object_pairs_hook=each_once)
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}") from None
    if not isinstance(values, dict):
        raise click.BadParameter(f"found {type(values).__name__}, wanted an object {{…}}")
    return values
