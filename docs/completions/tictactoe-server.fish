# Completion of tictactoe-server for fish: put this file into ~/.config/fish/completions.
complete -c tictactoe-server -f
complete -c tictactoe-server -n __fish_use_subcommand -a export -d 'write the lines of a match'
complete -c tictactoe-server -n __fish_use_subcommand -a verify -d 'replay all matches, or a file'
complete -c tictactoe-server -n __fish_use_subcommand -a check -d 'look for damage'
complete -c tictactoe-server -n __fish_use_subcommand -a backup -d 'copy the data'
complete -c tictactoe-server -n __fish_use_subcommand -a restore -d 'put a backup in place of the data'
complete -c tictactoe-server -n __fish_use_subcommand -a rebuild -d 'make the ratings again'
complete -c tictactoe-server -n __fish_use_subcommand -a stats -d 'show the size of the data'
complete -c tictactoe-server -n __fish_use_subcommand -a archive \
    -d 'copy the finished matches of a cluster'
complete -c tictactoe-server -n __fish_use_subcommand -a config \
    -d 'show each option, and where its value comes from'
complete -c tictactoe-server -n __fish_use_subcommand -a admin -d 'speak to a running server'
complete -c tictactoe-server -n '__fish_seen_subcommand_from verify backup restore' -F
complete -c tictactoe-server \
    -n '__fish_seen_subcommand_from admin; and not __fish_seen_subcommand_from log' \
    -a 'status players matches accounts account password forget kick ban unban bans mute unmute
    announce motd drain resume reload compact log tree metrics cluster move rebalance help'
complete -c tictactoe-server \
    -n '__fish_seen_subcommand_from admin; and __fish_seen_subcommand_from log' \
    -a 'off warning info debug trace'
complete -c tictactoe-server -r -F -l socket -d 'the socket of the operator, with admin'
complete -c tictactoe-server -r -F -l admin-read -a none -d 'a socket for those who only look'
complete -c tictactoe-server -l all -d 'carry the command out at all nodes of the cluster, with admin'
complete -c tictactoe-server -l json -d 'write the lines of the reply as they are, with admin'
complete -c tictactoe-server -x -l host -a '(__fish_print_hostnames)' \
    -d 'listen only on the addresses of a host'
complete -c tictactoe-server -x -l port -d 'listen on a port'
complete -c tictactoe-server -x -l turn -d 'the time for a move between two people'
complete -c tictactoe-server -x -l invite-within -d 'how long an invitation stands'
complete -c tictactoe-server -x -l motd -d 'greet everyone who logs in'
complete -c tictactoe-server -x -l resume-within -d 'how long a lost player may take to reconnect'
complete -c tictactoe-server -x -l drain -d 'how long games may continue after SIGTERM'
complete -c tictactoe-server -x -l log-level -a 'off warning info debug trace' \
    -d 'the level of the log'
complete -c tictactoe-server -x -l log-format -a 'text json' -d 'the format of the log'
complete -c tictactoe-server -x -l metrics -d 'serve metrics for Prometheus'
complete -c tictactoe-server -r -F -l data -a none -d 'keep matches in a folder'
complete -c tictactoe-server -r -F -l admin -a none -d 'the socket of the operator'
complete -c tictactoe-server -r -F -l config -a none -d 'read further options from a file'
complete -c tictactoe-server -l check-config -d 'check the configuration'
complete -c tictactoe-server -x -l durability -a 'process power none' -d 'what a match outlives'
complete -c tictactoe-server -x -l segment -d 'the largest file of the journal'
complete -c tictactoe-server -x -l keep \
    -d 'keep the moves of finished matches, in days; with backup the number of copies'
complete -c tictactoe-server -x -l cluster -d 'be a node of a cluster'
complete -c tictactoe-server -r -F -l cluster-file \
    -d 'be a node of a cluster, with the URL in a file'
complete -c tictactoe-server -x -l cluster-keep -d 'time that finished matches wait for a follower'
complete -c tictactoe-server -x -l cluster-replicas -d 'replicas that confirm a move'
complete -c tictactoe-server -x -l node -d 'the name of this node'
complete -c tictactoe-server -x -l advertise -d 'where clients reach this node'
complete -c tictactoe-server -l follow -d 'take finished matches until it is stopped, with archive'
complete -c tictactoe-server -x -l listen -d 'where a follower answers the nodes'
complete -c tictactoe-server -l repair -d 'keep what is whole, with check'
complete -c tictactoe-server -x -l max-matches -d 'matches at a time'
complete -c tictactoe-server -x -l max-spectators -d 'spectators of one match'
complete -c tictactoe-server -x -l login-within -d 'close a connection without a login'
complete -c tictactoe-server -x -l idle -d 'close a connection that sends nothing'
complete -c tictactoe-server -x -l per-second -d 'lines a second of a connection'
complete -c tictactoe-server -x -l burst -d 'lines of a connection at once'
complete -c tictactoe-server -x -l max-connections -d 'connections at a time'
complete -c tictactoe-server -x -l max-unsent -d 'unread output of all clients'
complete -c tictactoe-server -x -l max-per-address -d 'connections from one address'
complete -c tictactoe-server -x -l matches-per-address \
    -d 'players of one address who play or wait'
complete -c tictactoe-server -x -l unsent-per-address -d 'unread output of one address'
complete -c tictactoe-server -x -l lines-per-address -d 'lines a second from one address'
complete -c tictactoe-server -x -l logins-per-address -d 'log-ins a second from one address'
complete -c tictactoe-server -x -l time-per-address -d 'processor share of one address'
complete -c tictactoe-server -x -l trust-proxy -d 'expect a PROXY header from a network'
complete -c tictactoe-server -l help -d 'show the usage'
complete -c tictactoe-server -l version -d 'show the version'
