// Judges lines by the ACPC's own code (game.cc, as OpenSpiel ships it), one verdict a line.
//   referee GAME < lines
// A line is a match state, a match state with an answer, or a STATE with payoffs.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <string>

#include "game.h"

using namespace project_acpc_server;

static const char *answer(const Game *game, const std::string &line) {
  MatchState found;
  const int end = readMatchState(line.c_str(), game, &found);
  if (end < 0) return "not a match state";
  char again[4096];
  if (printMatchState(game, &found, sizeof again, again) < 0) return "cannot be printed";
  if (line.compare(0, end, again) != 0) return "written otherwise";
  if (line[end] == 0) return "ok";
  if (line[end] != ':') return "more than a match state";
  if (stateFinished(&found.state)) return "an answer to a hand that is over";
  if (currentPlayer(game, &found.state) != found.viewingPlayer) return "out of turn";
  Action action;
  const int used = readAction(line.c_str() + end + 1, game, &action);
  if (used < 0 || line[end + 1 + used] != 0) return "not an action";
  return isValidAction(game, &found.state, 0, &action) ? "ok" : "an illegal action";
}

static const char *payoffs(const Game *game, const std::string &line) {
  State state;
  int at = readState(line.c_str(), game, &state);
  if (at < 0) return "not a state";
  if (!stateFinished(&state)) return "not over";
  for (int p = 0; p < game->numPlayers; ++p) {
    double chips;
    int used;
    if (sscanf(line.c_str() + at + 1, "%lf%n", &chips, &used) < 1) return "no payoffs";
    at += used + 1;
    if (fabs(chips - valueOfState(game, &state, p)) > 0.01) return "other payoffs";
  }
  return "ok";
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : nullptr;
  Game *game = file ? readGame(file) : nullptr;
  if (!game) return 2;
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    std::string text(line, strcspn(line, "\r\n"));
    puts(text.compare(0, 6, "STATE:") ? answer(game, text) : payoffs(game, text));
  }
  return 0;
}
