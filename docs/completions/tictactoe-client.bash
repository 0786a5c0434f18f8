# Completion of tictactoe-client for bash: source this file.
_tictactoe_client() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $before in
  --port | --name | --join | --watch) ;;
  --game) COMPREPLY=($(compgen -W "tictactoe four gomoku connect misere ultimate" -- "$word")) ;;
  --level) COMPREPLY=($(compgen -W "easy medium hard" -- "$word")) ;;
  --ascii | --bell | --mouse | --colors) COMPREPLY=($(compgen -W "yes no" -- "$word")) ;;
  --start) COMPREPLY=($(compgen -W "bot anyone" -- "$word")) ;;
  --replay | --tls-ca)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -A file -- "$word"))
    ;;
  --exec)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -A command -A file -- "$word"))
    ;;
  *)
    case $word in
    -*) COMPREPLY=($(compgen -W "--port --tls --tls-ca --name --start --join --game --level --watch --replay --exec --local --plain --ascii --bell --mouse --colors --help --version" -- "$word")) ;;
    *) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
    esac
    ;;
  esac
}
complete -F _tictactoe_client tictactoe-client
