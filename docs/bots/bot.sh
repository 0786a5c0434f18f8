#!/bin/sh
# Plays one game against the server's bot, always on the first free cell. In a game that a player starts
# against the bot, the player is X.
echo login
echo start bot
free=$(printf '%s\n' '0 0' '0 1' '0 2' '1 0' '1 1' '1 2' '2 0' '2 1' '2 2')
while read -r line; do
  case $line in
  '{"type":"error"'*) exit 1 ;;
  '{"type":"gameDidEnd"'*) echo quit ;;
  '{"type":"boardDidChange"'*)
    row=$(printf '%s\n' "$line" | sed 's/.*"row":\([0-9]*\).*/\1/')
    col=$(printf '%s\n' "$line" | sed 's/.*"col":\([0-9]*\).*/\1/')
    free=$(printf '%s\n' "$free" | grep -v "$row $col")
    ;;
  esac
  case $line in
  *'"turn":"X"'*) echo "place $(printf '%s\n' "$free" | sed q)" ;;
  esac
done
