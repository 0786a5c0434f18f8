# Completion of tictactoe-server for bash: source this file.
_tictactoe_server() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local options="--host --port --turn --invite-within --motd --resume-within --login-within --idle --per-second --burst
    --max-connections --max-per-address --max-matches --max-spectators --max-unsent
    --matches-per-address --unsent-per-address --lines-per-address --logins-per-address
    --time-per-address --trust-proxy --drain --log-level --log-format --metrics --data --durability
    --segment --keep --cluster --cluster-file --cluster-replicas --cluster-keep --node --advertise --admin --admin-read --config --check-config --repair --follow --listen --socket --all --json --help --version"
  local commands=" export verify check backup restore rebuild stats archive admin config"
  COMPREPLY=()
  # The = between an option and its value is a word.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  # Without an answer bash completes files by itself, and quotes whatever is in their names.
  case $before in
  --host) COMPREPLY=($(compgen -A hostname -- "$word")) ;;
  --log-level) COMPREPLY=($(compgen -W "off warning info debug trace" -- "$word")) ;;
  --admin | --admin-read | --config) _tictactoe_files_or_none ;;
  --socket | --cluster-file) compopt -o default 2>/dev/null || : ;;
  --data)
    compopt -o plusdirs 2>/dev/null || :
    COMPREPLY=($(compgen -W none -- "$word"))
    ;;
  --durability) COMPREPLY=($(compgen -W "process power none" -- "$word")) ;;
  --log-format) COMPREPLY=($(compgen -W "text json" -- "$word")) ;;
  --drain | --port | --turn | --invite-within | --motd | --resume-within | --login-within | --idle | --per-second | --burst) ;;
  --max-connections | --max-per-address | --max-matches | --max-spectators | --trust-proxy) ;;
  --cluster | --cluster-replicas | --cluster-keep | --listen | --node | --advertise) ;;
  --keep | --metrics | --segment | --max-unsent | --*-per-address) ;;
  *) _tictactoe_words ;;
  esac
}

# The command, its options and its words. The caller has set the variables.
_tictactoe_words() {
  # The words that are neither options nor their values.
  local operands=() index=1
  while ((index < COMP_CWORD)); do
    case ${COMP_WORDS[index]} in
    --check-config | --repair | --follow | --all | --json | --help | --version) ;;
    -*)
      if [[ ${COMP_WORDS[index + 1]} == = ]]; then index=$((index + 1)); fi
      index=$((index + 1))
      ;;
    *) operands+=("${COMP_WORDS[index]}") ;;
    esac
    index=$((index + 1))
  done
  local own="--data --config --help"
  case ${operands[0]-} in
  "") COMPREPLY=($(compgen -W "$options $commands" -- "$word")) ;;
  admin) _tictactoe_admin "${operands[1]-}" "${#operands[@]}" ;;
  config) COMPREPLY=($(compgen -W "show $options" -- "$word")) ;;
  check) COMPREPLY=($(compgen -W "--repair $own" -- "$word")) ;;
  archive) COMPREPLY=($(compgen -W "--follow --listen --cluster --cluster-file $own" -- "$word")) ;;
  backup | restore)
    case $word in
    -*) COMPREPLY=($(compgen -W "--keep --cluster --cluster-file $own" -- "$word")) ;;
    *) compopt -o default 2>/dev/null || : ;;
    esac
    ;;
  *)
    case ${operands[0]} in verify) [[ $word == -* ]] || compopt -o default 2>/dev/null || : ;; esac
    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$own" -- "$word")); fi
    ;;
  esac
}

# $1 is the command of the operator, $2 how many words there are.
_tictactoe_admin() {
  local admin="status players matches accounts account password forget kick ban unban bans mute
    unmute announce motd drain resume reload compact log tree metrics cluster move rebalance help"
  case $1,$2 in
  ,*) COMPREPLY=($(compgen -W "$admin --socket --all --json $own" -- "$word")) ;;
  log,2) COMPREPLY=($(compgen -W "off warning info debug trace" -- "$word")) ;;
  help,2) COMPREPLY=($(compgen -W "$admin" -- "$word")) ;;
  *) if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "--socket --all --json $own" -- "$word")); fi ;;
  esac
}

# Files; the word none where no file begins like the word.
_tictactoe_files_or_none() {
  compopt -o default 2>/dev/null || :
  [[ -n $(compgen -f -- "$word") ]] || COMPREPLY=($(compgen -W none -- "$word"))
}
complete -F _tictactoe_server tictactoe-server
