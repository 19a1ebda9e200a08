import { ControlClient } from '../../scripts/simulator-clients/control-client.ts';
import { Mailbox } from '../../scripts/simulator-clients/mailbox.ts';
import type { Simulators } from '../../scripts/simulator-clients/simulators.ts';
import { environmentFor } from '../../scripts/simulator-clients/simulators.ts';
import { StripeControlClient } from '../../scripts/simulator-clients/stripe.ts';
import { startChannels } from '../../simulators/channels/server.ts';
import type { Mails } from '../../simulators/mailbox/mails.ts';
import { startMailbox } from '../../simulators/mailbox/server.ts';
import { startMetaGraph } from '../../simulators/meta-graph/server.ts';
import { startMetaStatus } from '../../simulators/meta-status/server.ts';
import { startStripe } from '../../simulators/stripe/server.ts';
import type { Transports } from '../../src/server/compose/options.ts';
import { fetchTo, httpTo, stripeOver } from './transports.ts';

export interface LocalSimulators extends Simulators {
  /** For a product in this process, which then needs no connection. */
  transports: Pick<Transports, 'http' | 'stripe'>;
  mails: Mails;
}

/** Meta, its status page, Stripe, a mailbox and the channels in this process. Browsers and child processes reach them by their URLs. */
export async function startSimulators(): Promise<LocalSimulators> {
  const [graph, status, mailbox, stripe, channels] = await Promise.all([
    startMetaGraph(),
    startMetaStatus(),
    startMailbox(),
    startStripe(),
    startChannels(),
  ]);
  const urls = new Map([
    ['meta-graph', graph.url],
    ['meta-status', status.url],
    ['mailbox', mailbox.url],
    ['stripe', stripe.url],
    ['channels', channels.url],
  ] as const);
  const handles = new Map(
    [graph, status, stripe].map(({ url, handle }) => [new URL(url).host, handle] as const),
  );
  const http = httpTo(handles);
  return {
    urls,
    environment: environmentFor(urls, mailbox.smtpUrl),
    graph: new ControlClient(graph.url, fetchTo(graph.handle)),
    status: new ControlClient(status.url, fetchTo(status.handle)),
    mailbox: new Mailbox(mailbox.url, fetchTo(mailbox.handle)),
    stripe: new StripeControlClient(stripe.url, fetchTo(stripe.handle)),
    channels: new ControlClient(channels.url, fetchTo(channels.handle)),
    transports: { http, stripe: stripeOver((request) => http.send(request)) },
    mails: mailbox.mails,
    stop: async () => {
      await Promise.all([graph, status, mailbox, stripe, channels].map((server) => server.close()));
    },
  };
}
