#!/bin/sh
# Plays one game against the server's bot, always on the first free cell. In a game that a player starts
# against the bot, the player is X. With a NAME it logs in under that name, and takes a game up that was
# left behind: then `didLogin` has a `place`. After that, and after some lost connections, the whole
# board comes again as a `matchSnapshot`.
say() {
  last=$1
  echo "$last"
}
say "login $1"
cells='0 0,0 1,0 2,1 0,1 1,1 2,2 0,2 1,2 2'
free=$(printf '%s\n' "$cells" | tr , '\n')
while read -r line; do
  case $line in
  '{"type":"didLogin"'*'"place":"playing"'*) ;;
  '{"type":"didLogin"'*) say 'start bot' ;;
  '{"type":"error"'*'"retry":'*)
    sleep 1
    say "$last"
    ;;
  '{"type":"error"'*) exit 1 ;;
  '{"type":"gameDidEnd"'* | *'"over":true'*) say quit ;;
  '{"type":"matchSnapshot"'*)
    # A line for each of the nine cells: the mark, the row and the column.
    board=$(printf '%s\n' "$line" | sed 's/.*"board":\["\([^]]*\)"\].*/\1/; s/","//g' | fold -w 1)
    free=$(printf '%s\n' "$cells" | tr , '\n' | while read -r cell; do
      case $board in .*) echo "$cell" ;; esac
      board=${board#?}
      board=${board#?}
    done)
    ;;
  '{"type":"boardDidChange"'*)
    row=$(printf '%s\n' "$line" | sed 's/.*"row":\([0-9]*\).*/\1/')
    col=$(printf '%s\n' "$line" | sed 's/.*"col":\([0-9]*\).*/\1/')
    free=$(printf '%s\n' "$free" | grep -v "$row $col")
    ;;
  esac
  case $line in
  *'"turn":"X"'*) say "place $(printf '%s\n' "$free" | sed q)" ;;
  esac
done
