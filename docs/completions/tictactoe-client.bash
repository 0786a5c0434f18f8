# Completion of tictactoe-client for bash: source this file.
_tictactoe_client() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # The = between an option and its value is a word.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  # Without an answer bash completes files by itself, and quotes whatever is in their names.
  _tictactoe_client_value "$before" && return
  case $word in
  -*) COMPREPLY=($(compgen -W "$_tictactoe_client_options" -- "$word")) ;;
  *) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  esac
}

# What follows is made from the options of the program, by `make generated`.
_tictactoe_client_options="--port --tls --tls-ca --name --start --join --game --level --watch --replay --exec --local --plain --ascii --bell --mouse --colors --kiosk --friend-line --send-proxy --web --max-tabs --max-tabs-per-address --web-name --web-metrics --trust-proxy --help --version"

# Completes the value of the option $1; fails if it needs none.
_tictactoe_client_value() {
  case $1 in
  --ascii | --bell | --mouse | --colors) COMPREPLY=($(compgen -W "yes no" -- "$word")) ;;
  --exec) compopt -o default -o filenames 2>/dev/null || : ; while IFS= read -r; do COMPREPLY+=("$REPLY"); done < <(compgen -A command -- "$word") ;;
  --game) COMPREPLY=($(compgen -W "tictactoe four gomoku connect misere ultimate" -- "$word")) ;;
  --level) COMPREPLY=($(compgen -W "easy medium hard" -- "$word")) ;;
  --port | --name | --join | --watch | --friend-line | --web | --max-tabs | --max-tabs-per-address | --web-name | --web-metrics | --trust-proxy) ;;
  --start) COMPREPLY=($(compgen -W "bot anyone" -- "$word")) ;;
  --tls-ca | --replay) compopt -o default 2>/dev/null || : ;;
  *) return 1 ;;
  esac
  return 0
}
complete -F _tictactoe_client tictactoe-client
