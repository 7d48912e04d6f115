"""The section ``improve`` of the config."""

from pydantic import Field

from sixmax.agents.raises import pots_of
from sixmax.base.config_section import Section
from sixmax.betting.config import GameConfig


class ImproveConfig(Section):
    """Branches for bets of opponents that the blueprint lacks; config/default.yaml explains."""

    logs: str
    player: str
    opponent: float = Field(ge=0, le=1000)
    hands: int = Field(ge=2)
    sizes: int = Field(ge=1, le=20)
    iterations: int = Field(ge=1)
    deals: int = Field(ge=2)

    @property
    def opponent_name(self) -> str:
        """The agent whose hands take the place of logs; "" where there are logs, or neither."""
        return f"raises-{self.opponent:g}" if self.opponent and not self.logs else ""


def problem(config: ImproveConfig, game: GameConfig) -> str:
    """The reason why a run of ``game`` cannot be improved by ``config``; "" where it can."""
    if game.seats != 2 or len(set(game.stacks)) > 1:
        return f"found {game.seats} seats and stacks {game.stacks}; wanted two of equal stacks"
    if not (config.logs or config.opponent):
        return "found neither improve.logs nor improve.opponent; wanted one of them"
    if config.opponent_name and pots_of(config.opponent_name) is None:
        return f"found improve.opponent {config.opponent}; wanted three decimals at most"
    return ""
