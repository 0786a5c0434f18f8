// The preamble and the message of each peer. Both players of match N receive the messages that are
// published to mN. IRC does not echo messages to a channel, so there they go to the names of both.
#include "peers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// As long as a diff, with one `;`, the mark. No peer writes another `;` once a player has entered.
#define TEXT \
  "{'type':'boardDidChange','match':'7q2k','seq':2," \
  "'cells':[{'row':1,'col':1,'mark':'X'}],'turn':'O','hash':'afa687df'};"
enum { text_size = sizeof TEXT - 1 };

static int log_in(char *text, int player) {
  return sprintf(text, "{\"type\":\"login\",\"id\":1,\"name\":\"p%d\"}\n", player);
}

// A subscribed connection may publish only in version 3. The reply to PING says that everything before
// it is done.
static int redis_enter(char *text, int player) {
  return sprintf(text, "HELLO 3\r\nSUBSCRIBE m%d\r\nPING ;\r\n", player / 2);
}
static int redis_publish(char *text, int player) {
  char channel[16];
  int length = sprintf(channel, "m%d", player / 2);
  return sprintf(text, "*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n" TEXT "\r\n", length, channel, text_size);
}

static int irc_enter(char *text, int player) {
  return sprintf(text, "NICK p%d\r\nUSER p 0 * :p\r\nPRIVMSG p%d :;\r\n", player, player);
}
static int irc_publish(char *text, int player) {
  return sprintf(text, "PRIVMSG p%d,p%d :" TEXT "\r\n", player, player ^ 1);
}

// The one message to itself returns when everything before it is done. The server's own PING follows
// some seconds later; its configuration allows an hour for the reply.
static int nats_enter(char *text, int player) {
  return sprintf(text,
                 "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n"
                 "SUB m%d 1\r\nSUB p%d 2\r\nUNSUB 2 1\r\nPUB p%d 1\r\n;\r\n",
                 player / 2, player, player);
}
static int nats_publish(char *text, int player) {
  return sprintf(text, "PUB m%d %d\r\n" TEXT "\r\n", player / 2, text_size);
}

// Packets of MQTT 3.1.1: a type, the length of the rest (below 128 here), the rest.
static int mqtt_packet(char *packet, int type, const char *rest, int length) {
  packet[0] = (char)type;
  packet[1] = (char)length;
  memcpy(packet + 2, rest, length);
  return length + 2;
}
static int mqtt_string(char *at, const char *string) {
  int length = (int)strlen(string);
  at[0] = 0;
  at[1] = (char)length;
  memcpy(at + 2, string, length);
  return length + 2;
}
// The subscription is packet number 10, a newline, which its confirmation repeats.
static int mqtt_enter(char *text, int player) {
  char rest[64], name[16];
  int length = mqtt_string(rest, "MQTT");
  memcpy(rest + length, "\4\2\0\0", 4);  // version; a new session; no keep-alive
  sprintf(name, "p%d", player);
  length += 4 + mqtt_string(rest + length + 4, name);
  int size = mqtt_packet(text, 0x10, rest, length);
  memcpy(rest, "\0\n", 2);
  sprintf(name, "m%d", player / 2);
  length = 2 + mqtt_string(rest + 2, name);
  rest[length++] = 0;
  return size + mqtt_packet(text + size, 0x82, rest, length);
}
static int mqtt_publish(char *text, int player) {
  char rest[160], topic[16];
  sprintf(topic, "m%d", player / 2);
  int length = mqtt_string(rest, topic);
  memcpy(rest + length, TEXT, text_size);
  return mqtt_packet(text, 0x30, rest, length + text_size);
}

const struct peer peers[] = {
    {"server", true, '\n', 1, 1, '\n', 2, 512, log_in, NULL},
    {"floor", true, '\n', 1, 1, '\n', 1, 512, log_in, NULL},
    {"redis", false, ';', 0, 1, ';', 1, 512, redis_enter, redis_publish},
    {"ngircd", false, ';', 0, 1, ';', 1, 8, irc_enter, irc_publish},
    {"nats", false, ';', 0, 1, ';', 1, 512, nats_enter, nats_publish},
    {"mosquitto", false, '\n', 0, 1, ';', 1, 64, mqtt_enter, mqtt_publish},
    {NULL},
};

const struct peer *peer_named(const char *name) {
  for (const struct peer *peer = peers; peer->name; peer++)
    if (!strcmp(peer->name, name)) return peer;
  return NULL;
}
