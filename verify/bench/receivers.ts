/** A mail server and an endpoint that accept everything after these times: so little work that they do not limit. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

const [emailMs = 0, webhookMs = 0] = process.argv.slice(2).map(Number);
const count = { emails: 0, webhooks: 0, lastAt: 0 };

function accept(kind: 'emails' | 'webhooks'): void {
  count[kind] += 1;
  count.lastAt = Date.now();
}

/** One email after the other, as long as the connection stands. */
function talk(socket: Socket): void {
  let isText = false;
  let rest = '';
  const say = (line: string) => void socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    if (isText) {
      if (line !== '.') return;
      isText = false;
      setTimeout(() => {
        accept('emails');
        say('250 accepted');
      }, emailMs);
    } else if (line === 'DATA') {
      isText = true;
      say('354 go on');
    } else say('250 ok');
  };
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      const lines = (rest + part.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(hear);
    });
  say('220 bench');
}

const smtp = createServer(talk).listen(0, '127.0.0.1');
const http = createHttpServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(count));
  request.resume().once('end', () =>
    setTimeout(() => {
      accept('webhooks');
      response.writeHead(204).end();
    }, webhookMs),
  );
}).listen(0, '127.0.0.1');
await Promise.all([smtp, http].map((one) => once(one, 'listening')));
const portOf = (one: { address: () => AddressInfo | string | null }) => (one.address() as AddressInfo).port;
console.log(JSON.stringify({ smtp: portOf(smtp), http: portOf(http) }));
