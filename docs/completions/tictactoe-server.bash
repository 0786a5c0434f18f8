# Completion of tictactoe-server for bash: source this file.
_tictactoe_server() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $before in
  --host) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  --port) ;;
  *) COMPREPLY=($(compgen -W "--host --port --help --version" -- "$word")) ;;
  esac
}
complete -F _tictactoe_server tictactoe-server
