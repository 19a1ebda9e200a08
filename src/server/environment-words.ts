import type { VariableName } from './environment.ts';

export interface Words {
  /** A value that would do. */
  example: string;
  /** What it is for, in a sentence or two. */
  words: string;
}

export interface Chapter {
  title: string;
  variables: Partial<Record<VariableName, Words>>;
}

/** What every variable is for. docs/configuration.md is made of it. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Where it listens, and where it is reached',
    variables: {
      PORT: { example: '3000', words: 'The port of pages and calls; 0 for any that is free.' },
      HOST: {
        example: '127.0.0.1',
        words: 'The address it listens on; `0.0.0.0` for every one of the machine.',
      },
      PUBLIC_URL: {
        example: 'https://smartpause.example',
        words:
          'Where browsers, Meta and Stripe reach it. Without it `http://localhost` and the port; production needs its own.',
      },
      TRUST_PROXY: {
        example: '1',
        words:
          'How many proxies of your own stand in front, or their addresses; never everybody. Limits then count by the address that they name; without it all that they bring counts as one address, which has 6,000 requests a minute and 500 connections.',
      },
      OPERATIONS_PORT: {
        example: '9464',
        words:
          'A port for whoever runs it, in every role: `/metrics`, `/health/ready`, `/health/live`. Without it there is none. Nobody else should reach it.',
      },
      OPERATIONS_HOST: { example: '127.0.0.1', words: 'The address of that port; `HOST` unless given.' },
    },
  },
  {
    title: 'The process',
    variables: {
      ROLE: {
        example: 'all',
        words:
          '`all`: everything in one process. `web`: pages and calls only. `worker`: status page, engine, mail and what comes round by itself only.',
      },
      NODE_ENV: {
        example: 'production',
        words: '`production` refuses to start with anything that is weak, open to others, or missing.',
      },
      DEMO: {
        example: '1',
        words:
          '`1` lets production work with services on this machine and with a test key of Stripe: a demonstration.',
      },
      LOG_LEVEL: {
        example: 'info',
        words: '`fatal`, `error`, `warn`, `info`, `debug` (each answer as well), `trace` or `silent`.',
      },
      STATUS_POLL_SECONDS: { example: '10', words: "How often Meta's status page is read." },
      ADMIN_PLATFORM_IDS: {
        example: '122093847561029384,1234:developers',
        words:
          'Meta user ids of those who become administrators when they log in, or get the role behind the colon: `developers` may do all that `administrators` may.',
      },
    },
  },
  {
    title: 'The database',
    variables: {
      DATABASE_URL: {
        example: 'postgres://smartpause:password@db.example:5432/smartpause',
        words:
          'PostgreSQL 15 or newer. Where the network between is not your own, with `?sslmode=verify-full`. Needed in production; without it SmartPause starts an embedded PostgreSQL in `DATA_DIR`.',
      },
      DATA_DIR: {
        example: './data',
        words:
          'The folder of the embedded PostgreSQL, and of the key that is made where `ENCRYPTION_KEY` is not given.',
      },
      ENCRYPTION_KEY: {
        example: 'the output of: openssl rand -base64 32',
        words:
          "Seals Meta's access tokens; at least 32 characters. While a key is being replaced: the new one, a comma, the old one. Within an hour all tokens are sealed with the new one.",
      },
    },
  },
  {
    title: 'Meta',
    variables: {
      META_APP_ID: { example: '1234567890', words: 'The app, as its dashboard shows it.' },
      META_APP_SECRET: { example: '0123456789abcdef0123456789abcdef', words: 'Its secret.' },
      META_API_VERSION: { example: 'v26.0', words: 'The version of the Graph API.' },
      META_GRAPH_URL: { example: 'https://graph.facebook.com', words: 'The Graph API.' },
      META_DIALOG_URL: { example: 'https://www.facebook.com', words: 'Where its login dialog is.' },
      META_STATUS_URL: { example: 'https://metastatus.com', words: 'The status page.' },
      META_STATUS_SERVICES: {
        example: 'ads-manager:Ads Delivery',
        words: 'Which of its services count: `product:Service name`, with commas between them.',
      },
    },
  },
  {
    title: 'Stripe',
    variables: {
      STRIPE_SECRET_KEY: {
        example: 'sk_live_…',
        words: 'A secret or restricted key. `npm run stripe:setup` prints the next four for it.',
      },
      STRIPE_WEBHOOK_SECRET: {
        example: 'whsec_…',
        words: 'Of the webhook endpoint. While it is being replaced: both, with a comma between them.',
      },
      STRIPE_PRICE_MONTHLY: { example: 'price_…', words: 'The price of a month.' },
      STRIPE_PRICE_YEARLY: { example: 'price_…', words: 'The price of a year.' },
      STRIPE_PORTAL_CONFIGURATION: { example: 'bpc_…', words: 'What the billing portal lets people do.' },
      STRIPE_API_URL: {
        example: 'https://api.stripe.com',
        words: "Another address than Stripe's own; never with a live key.",
      },
    },
  },
  {
    title: 'Mail',
    variables: {
      SMTP_URL: {
        example: 'smtps://user:password@mail.example.com',
        words:
          'The mail server. With a user and password, and a host that is not this machine, the connection must be encrypted: `smtps://`, or `smtp://` with STARTTLS.',
      },
      MAIL_FROM: {
        example: 'SmartPause <mail@example.com>',
        words: 'The sender; production needs its own.',
      },
    },
  },
  {
    title: 'Company',
    variables: {
      COMPANY_NAME: {
        example: 'Example Software LLC',
        words: 'The company that runs the service, as the legal pages name it.',
      },
      COMPANY_ADDRESS: {
        example: '100 Example Street, Chicago, IL 60601, United States',
        words: 'The postal address of the company on the legal pages. Without it they show none.',
      },
      CONTACT_EMAIL: {
        example: 'support@example.com',
        words: 'The contact address on the legal pages. Without it they show the address in `MAIL_FROM`.',
      },
    },
  },
  {
    title: 'Traces',
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        example: 'http://collector.example:4318',
        words:
          'Switches traces on: they go to `/v1/traces` there, by OTLP, also by `http`: they hold ids and no secrets, and collectors stand near. `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_RESOURCE_ATTRIBUTES` hold as usual.',
      },
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
        example: 'http://collector.example:4318/v1/traces',
        words: 'The same, as the whole address.',
      },
      OTEL_EXPORTER_OTLP_PROTOCOL: {
        example: 'http/json',
        words: 'By what they are sent: `http/json` and nothing else.',
      },
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { example: 'http/json', words: 'The same, for traces alone.' },
      OTEL_TRACES_EXPORTER: { example: 'none', words: '`otlp`, or `none` to switch traces off.' },
      OTEL_SDK_DISABLED: { example: 'true', words: '`true` switches traces off.' },
      OTEL_TRACES_SAMPLER: {
        example: 'parentbased_traceidratio',
        words: 'Which traces are sent: all, none, or a share (`traceidratio`).',
      },
      OTEL_TRACES_SAMPLER_ARG: { example: '0.1', words: 'That share.' },
      OTEL_SERVICE_NAME: { example: 'smartpause', words: 'What this service is called in traces.' },
    },
  },
];

/** Variables that production cannot do without, besides those that have no default at all. */
export const NEEDED_IN_PRODUCTION = [
  'ENCRYPTION_KEY',
  'PUBLIC_URL',
  'MAIL_FROM',
] as const satisfies readonly VariableName[];

export function exampleOf(name: string): string | undefined {
  const words = CHAPTERS.map(({ variables }) => variables[name as VariableName]).find(
    (one) => one !== undefined,
  );
  return words?.example;
}
