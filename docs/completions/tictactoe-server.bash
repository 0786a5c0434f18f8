# Completion of tictactoe-server for bash: source this file.
_tictactoe_server() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local options="--host --port --turn --invite-within --motd --resume-within --login-within --idle --per-second --burst
    --max-connections --max-per-address --max-matches --max-spectators --max-unsent
    --matches-per-address --unsent-per-address --lines-per-address --logins-per-address
    --time-per-address --trust-proxy --drain --log-level --log-format --metrics --data --durability
    --segment --keep --cluster --cluster-file --cluster-replicas --node --advertise --admin --config --check-config --repair --socket --json --help --version"
  local commands=" export verify check backup restore rebuild stats archive admin config"
  local admin="status players matches kick ban unban bans mute unmute announce motd drain resume reload
    log tree help"
  COMPREPLY=()
  # The = between an option and its value is a word.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  # Without an answer bash completes files by itself, and quotes whatever is in their names.
  case $before in
  --host) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  --log-level) COMPREPLY=($(compgen -W "off warning info debug trace" -- "$word")) ;;
  --admin | --config) _tictactoe_files_or_none ;;
  --socket | --cluster-file) compopt -o default 2>/dev/null || : ;;
  admin) COMPREPLY=($(compgen -W "$admin --data --socket --json --help" -- "$word")) ;;
  --data)
    compopt -o plusdirs 2>/dev/null || :
    COMPREPLY=($(compgen -W none -- "$word"))
    ;;
  --durability) COMPREPLY=($(compgen -W "process power none" -- "$word")) ;;
  --log-format) COMPREPLY=($(compgen -W "text json" -- "$word")) ;;
  --drain | --port | --turn | --invite-within | --motd | --resume-within | --login-within | --idle | --per-second | --burst) ;;
  --max-connections | --max-per-address | --max-matches | --max-spectators | --trust-proxy) ;;
  --cluster | --cluster-replicas | --node | --advertise) ;;
  --keep | --metrics | --segment | --max-unsent | --*-per-address) ;;
  config) COMPREPLY=($(compgen -W "show --config --help" -- "$word")) ;;
  verify | backup | restore)
    case $word in
    -*) COMPREPLY=($(compgen -W "--data --config --keep --cluster --cluster-file --help" -- "$word")) ;;
    *) compopt -o default 2>/dev/null || : ;;
    esac
    ;;
  tictactoe-server) COMPREPLY=($(compgen -W "$options $commands" -- "$word")) ;;
  *) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
  esac
}

# Files; the word none where no file begins like the word.
_tictactoe_files_or_none() {
  compopt -o default 2>/dev/null || :
  [[ -n $(compgen -f -- "$word") ]] || COMPREPLY=($(compgen -W none -- "$word"))
}
complete -F _tictactoe_server tictactoe-server
