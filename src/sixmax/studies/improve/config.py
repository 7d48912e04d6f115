"""The section ``improve`` of the config."""

from sixmax.agents.registry import pots_of
from sixmax.base.config_section import Section
from sixmax.betting.config import GameConfig


class ImproveConfig(Section):
    """Branches for bets of opponents that the blueprint lacks; config/default.yaml explains."""

    opponent: str = ""  # an agent, or a folder of hand logs
    player: str = ""  # of the logs

    @property
    def logs(self) -> str:
        """The folder of hand logs; "" where there is none."""
        return "" if pots_of(self.opponent) is not None else self.opponent


def unfit(game: GameConfig) -> str:
    """The reason why no run of ``game`` can be improved; "" where one can."""
    if game.seats == 2 and len(set(game.stacks)) == 1:
        return ""
    return f"found {game.seats} seats and stacks {game.stacks}; wanted two of equal stacks"


def problem(config: ImproveConfig, game: GameConfig) -> str:
    """The reason why a run of ``game`` cannot be improved by ``config``; "" where it can."""
    lacking = "found no improve.opponent; wanted an agent as raises-5, or a folder of hand logs"
    return unfit(game) or ("" if config.opponent else lacking)
