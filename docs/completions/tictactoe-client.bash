# Completion of tictactoe-client for bash: source this file.
_tictactoe_client() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command
  COMPREPLY=()
  # The = between an option and its value is a word.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  case $before in
  --port | --name | --join | --watch | --friend-line | --web | --web-name | --web-metrics | --trust-proxy | --max-tabs | --max-tabs-per-address) ;;
  --game) COMPREPLY=($(compgen -W "tictactoe four gomoku connect misere ultimate" -- "$word")) ;;
  --level) COMPREPLY=($(compgen -W "easy medium hard" -- "$word")) ;;
  --ascii | --bell | --mouse | --colors) COMPREPLY=($(compgen -W "yes no" -- "$word")) ;;
  --start) COMPREPLY=($(compgen -W "bot anyone" -- "$word")) ;;
  # Without an answer bash completes files by itself, and quotes whatever is in their names.
  --replay | --tls-ca) compopt -o default 2>/dev/null || : ;;
  --exec)
    compopt -o default -o filenames 2>/dev/null || :
    while IFS= read -r command; do COMPREPLY+=("$command"); done < <(compgen -A command -- "$word")
    ;;
  *)
    case $word in
    -*) COMPREPLY=($(compgen -W "--port --tls --tls-ca --name --start --join --game --level --watch --replay --exec --local --plain --ascii --bell --mouse --colors --web --web-name --web-metrics --trust-proxy --max-tabs --max-tabs-per-address --kiosk --friend-line --send-proxy --help --version" -- "$word")) ;;
    *) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
    esac
    ;;
  esac
}
complete -F _tictactoe_client tictactoe-client
