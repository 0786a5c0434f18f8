# Completion of tictactoe-server for bash: source this file.
_tictactoe_server() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $before in
  --host) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  --port | --turn | --resume-within | --max-matches | --max-spectators) ;;
  *) COMPREPLY=($(compgen -W "--host --port --turn --resume-within --max-matches --max-spectators --help --version" -- "$word")) ;;
  esac
}
complete -F _tictactoe_server tictactoe-server
