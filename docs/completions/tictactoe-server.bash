# Completion of tictactoe-server for bash: source this file.
_tictactoe_server() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # The = between an option and its value is a word.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  # Without an answer bash completes files by itself, and quotes whatever is in their names.
  _tictactoe_server_value "$before" || _tictactoe_server_words
}

# The command, its options and its words. The caller has set the variables.
_tictactoe_server_words() {
  # The words that are neither options nor their values.
  local operands=() index=1 words=
  while ((index < COMP_CWORD)); do
    case ${COMP_WORDS[index]} in
    -*)
      if [[ $_tictactoe_server_flags != *" ${COMP_WORDS[index]} "* ]]; then
        if [[ ${COMP_WORDS[index + 1]} == = ]]; then index=$((index + 1)); fi
        index=$((index + 1))
      fi
      ;;
    *) operands+=("${COMP_WORDS[index]}") ;;
    esac
    index=$((index + 1))
  done
  case ${operands[0]-} in
  "") words="$_tictactoe_server_options $_tictactoe_server_commands" ;;
  config) words="show $_tictactoe_server_options" ;;
  *) words=$(_tictactoe_server_options_of "${operands[0]}") ;;
  esac
  case ${operands[0]-},${operands[1]-},${#operands[@]},$word in
  ,* | config,*) ;;
  *,-*) ;;
  verify,* | backup,* | restore,*)
    compopt -o default 2>/dev/null || :
    return
    ;;
  admin,,*) words="$words $_tictactoe_server_admin_commands" ;;
  admin,log,2,*) words=$_tictactoe_server_levels ;;
  admin,motd,2,*) words="none default" ;;
  admin,help,2,*) words=$_tictactoe_server_admin_commands ;;
  *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}

# Files; the word none where no file begins like the word.
_tictactoe_files_or_none() {
  compopt -o default 2>/dev/null || :
  [[ -n $(compgen -f -- "$word") ]] || COMPREPLY=($(compgen -W none -- "$word"))
}

# What follows is made from the options of the program, by `make generated`.
_tictactoe_server_options="--host --port --turn --invite-within --motd --resume-within --drain --log-level --log-format --metrics --data --admin --admin-read --durability --segment --keep --cluster --cluster-file --cluster-replicas --cluster-keep --node --advertise --login-within --idle --per-second --burst --max-connections --max-matches --max-spectators --max-unsent --trust-proxy --max-per-address --matches-per-address --unsent-per-address --lines-per-address --logins-per-address --time-per-address --config --check-config --help --version --repair --follow --listen --socket --all --json"
_tictactoe_server_flags=" --check-config --help --version --repair --follow --all --json "
_tictactoe_server_commands="export verify check backup restore rebuild stats archive admin config"
_tictactoe_server_admin_commands="status players matches accounts account password forget kick ban unban bans mute unmute announce motd drain resume reload compact log tree metrics cluster move rebalance help"
_tictactoe_server_levels="off warning info debug trace"

# Writes the options of the command $1.
_tictactoe_server_options_of() {
  case $1 in
  export) echo --data --config --help ;;
  verify) echo --data --config --help ;;
  check) echo --data --config --repair --help ;;
  backup) echo --data --config --keep --cluster --cluster-file --help ;;
  restore) echo --data --config --cluster --cluster-file --help ;;
  rebuild) echo --data --config --help ;;
  stats) echo --data --config --help ;;
  archive) echo --cluster --cluster-file --data --follow --listen --config --help ;;
  admin) echo --data --config --socket --all --json --help ;;
  config) echo --config --help ;;
  esac
}

# Completes the value of the option $1; fails if it needs none.
_tictactoe_server_value() {
  case $1 in
  --admin | --admin-read | --config) _tictactoe_files_or_none ;;
  --cluster-file | --socket) compopt -o default 2>/dev/null || : ;;
  --data) compopt -o plusdirs 2>/dev/null || : ; COMPREPLY=($(compgen -W none -- "$word")) ;;
  --durability) COMPREPLY=($(compgen -W "process power none" -- "$word")) ;;
  --host) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  --log-format) COMPREPLY=($(compgen -W "text json" -- "$word")) ;;
  --log-level) COMPREPLY=($(compgen -W "off warning info debug trace" -- "$word")) ;;
  --port | --turn | --invite-within | --motd | --resume-within | --drain | --metrics | --segment | --keep | --cluster | --cluster-replicas | --cluster-keep | --node | --advertise | --login-within | --idle | --per-second | --burst | --max-connections | --max-matches | --max-spectators | --max-unsent | --trust-proxy | --max-per-address | --matches-per-address | --unsent-per-address | --lines-per-address | --logins-per-address | --time-per-address | --listen) ;;
  *) return 1 ;;
  esac
  return 0
}
complete -F _tictactoe_server tictactoe-server
