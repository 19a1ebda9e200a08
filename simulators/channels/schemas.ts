import { z } from 'zod';

/** The documented limits of each service, as far as SmartPause's messages can meet them. */

const http = z.url({ protocol: /^https?$/ });
const text = (max: number) => z.string().min(1).max(max);

const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(max), emoji: z.boolean() });
const element = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('text'), text: text(3_000) },
    style: z.strictObject({ bold: z.boolean() }).optional(),
  }),
  z.strictObject({ type: z.literal('link'), url: http.max(3_000), text: text(3_000) }),
]);
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(element).min(1) });
const list = z.strictObject({
  ...{ type: z.literal('rich_text_list'), style: z.enum(['bullet', 'ordered']) },
  elements: z.array(section).min(1),
});
const slackBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z
    .strictObject({
      type: z.literal('rich_text'),
      elements: z.array(z.discriminatedUnion('type', [section, list])).min(1),
    })
    .refine((block) => JSON.stringify(block).length <= 3_000, 'more than 3,000 characters'),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(
        z.strictObject({
          ...{ type: z.literal('button'), text: plainText(75), url: http.max(3_000) },
          style: z.enum(['primary', 'danger']).optional(),
        }),
      )
      .min(1)
      .max(25),
  }),
  z.strictObject({ type: z.literal('context'), elements: z.array(plainText(2_000)).min(1).max(10) }),
]);
export const slackMessage = z.strictObject({
  /** Markup: a '<' begins a mention or a link. */
  text: text(40_000).regex(/^[^<>]*$/, 'text must be escaped'),
  blocks: z.array(slackBlock).min(1).max(50),
});
export type SlackMessage = z.output<typeof slackMessage>;

const openUrl = z.strictObject({ type: z.literal('Action.OpenUrl'), title: text(200).optional(), url: http });
const textRun = z.strictObject({
  ...{ type: z.literal('TextRun'), text: text(4_000) },
  ...{ size: z.enum(['Small', 'Large']).optional(), weight: z.literal('Bolder').optional() },
  ...{ isSubtle: z.boolean().optional(), selectAction: openUrl.optional() },
});
const card = z.strictObject({
  type: z.literal('AdaptiveCard'),
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  version: z.enum(['1.2', '1.3', '1.4', '1.5']),
  msteams: z.strictObject({ width: z.literal('Full') }),
  body: z
    .array(
      z.strictObject({
        ...{ type: z.literal('RichTextBlock'), spacing: z.enum(['Default', 'None']).optional() },
        inlines: z.array(textRun).min(1),
      }),
    )
    .min(1),
  actions: z.array(openUrl).min(1).max(6),
});
const contentType = z.literal('application/vnd.microsoft.card.adaptive');
export const teamsMessage = z
  .strictObject({
    type: z.literal('message'),
    attachments: z.tuple([z.strictObject({ contentType, contentUrl: z.null(), content: card })]),
  })
  .refine((message) => Buffer.byteLength(JSON.stringify(message)) < 28_000, 'more than 28 kB');

const embed = z
  .strictObject({
    ...{ title: text(256), url: http, description: text(4_096), timestamp: z.iso.datetime() },
    ...{ color: z.int().min(0).max(0xffffff), footer: z.strictObject({ text: text(2_048) }) },
  })
  .refine(
    ({ title, description, footer }) => title.length + description.length + footer.text.length <= 6_000,
    'more than 6,000 characters',
  );
export const discordMessage = z.strictObject({
  embeds: z.array(embed).min(1).max(10),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
});

export const pagerDutyEvent = z
  .strictObject({
    ...{ routing_key: z.string().regex(/^[\da-z]{32}$/i), event_action: z.enum(['trigger', 'resolve']) },
    ...{ dedup_key: text(255), client: text(255), client_url: http },
    links: z.array(z.strictObject({ href: http, text: text(255) })),
    payload: z.strictObject({
      ...{ summary: text(1_024), source: text(255), component: text(255), class: text(255) },
      ...{ severity: z.enum(['critical', 'error', 'warning', 'info']), timestamp: z.iso.datetime() },
      custom_details: z.strictObject({ text: z.string() }),
    }),
  })
  .refine((event) => Buffer.byteLength(JSON.stringify(event)) < 512_000, 'more than 512 kB');

/** Standard Webhooks asks for no more than type, time and data. */
export const webhookBody = z
  .looseObject({ type: z.string().regex(/^[\w.]+$/), timestamp: z.iso.datetime(), data: z.looseObject({}) })
  .refine((body) => Buffer.byteLength(JSON.stringify(body)) < 20_000, 'more than 20 kB');
export const webhookHeaders = z.looseObject({
  'webhook-id': text(255),
  'webhook-timestamp': z.string().regex(/^\d{10}$/),
  'webhook-signature': z.string().regex(/^v1,[\w+/]{43}=( v1,[\w+/]{43}=)*$/),
});
