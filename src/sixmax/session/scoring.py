"""The result without luck, computed beside the play: kernels may take minutes to compile."""

import threading

from sixmax.session.session import Session, SessionScore


def late(score: SessionScore, lucky: bool) -> bool:
    """Whether AIVAT has not scored all hands yet; ``lucky``: whether it scores this session."""
    return lucky and (score.adjusted is None or score.adjusted.n < score.won.n)


class Scoring:
    """Computes ``session.result()`` in a thread, which ends with the program."""

    def __init__(self, session: Session):
        self._session = session
        self._thread: threading.Thread | None = None
        self._score: SessionScore | None = None
        self._error: Exception | None = None

    def result(self, seconds: float | None) -> SessionScore:
        """The result so far; waits so many ``seconds`` for AIVAT at most, None: until it is there.

        ``adjusted`` is None, or of fewer hands, where it is not there yet. Raises the error of the
        computation where that failed.
        """
        if self._thread is None or not self._thread.is_alive():
            self._begin()
        self._thread.join(seconds)
        if not self._thread.is_alive() and self._error is None and self._late:
            self._begin()  # hands that were over after the last one began
            self._thread.join(seconds)
        if self._error is not None:
            raise self._error
        adjusted = None if self._score is None else self._score.adjusted
        return SessionScore(self._session.won, adjusted)

    @property
    def _late(self) -> bool:
        return self._score is None or self._score.won.n < self._session.hands

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._work, daemon=True, name="aivat")
        self._thread.start()

    def _work(self) -> None:
        try:
            self._score = self._session.result()
        except Exception as error:  # raised again where the result is asked for
            self._error = error
