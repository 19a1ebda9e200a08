import { DISCLAIMER } from '#core/labels.ts';
import { answersOf } from './answers.ts';
import type { Content, Line, Run } from './content.ts';
import { bytesOf, fitting, inert, linesOf } from './content.ts';
import type { HttpChannel } from './http-channel.ts';
import { fixedHosts, postJson } from './http-channel.ts';

/** Of Teams: 28 kB. */
const MAX_BYTES = 28_000;

/** A workflow of Teams that posts a card. Names stand in a TextRun, in which Teams looks for no markup. */
export const teams: HttpChannel = {
  parse: fixedHosts({
    hosts: ['.logic.azure.com', '.environment.api.powerplatform.com'],
    path: /\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke$/,
    copy: 'Enter the URL of a Teams workflow. Its host ends in logic.azure.com or environment.api.powerplatform.com.',
  }),
  request({ address }, message, { publicUrl }) {
    const say = (text: string): string => breakTemplates(inert(text));
    const body = fitting({ message, publicUrl, say }, toBody, (text) => bytesOf(text) < MAX_BYTES);
    return postJson(address, body);
  },
  answer: answersOf({ name: 'Teams', isGone: ({ status }) => [401, 403, 404, 410].includes(status) }),
};

function toBody({ title, parts, buttons, page, isCut }: Content): string {
  const rows = parts.flatMap((part) => linesOf(part, page).map((line, index) => textOf(line, index === 0)));
  const card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: title, size: 'Large', weight: 'Bolder' }] },
      ...rows,
      ...(isCut ? [textOf({ runs: [{ text: '…' }] }, true)] : []),
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: DISCLAIMER, size: 'Small', isSubtle: true }],
      },
    ],
    actions: buttons.map(({ label, address }) => ({ type: 'Action.OpenUrl', title: label, url: address })),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({ type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] });
}

function textOf({ runs, isItem = false }: Line, isFirst: boolean) {
  const inlines = (isItem ? [{ text: '• ' }, ...runs] : runs).map(toInline);
  return { type: 'RichTextBlock', spacing: isFirst ? 'Default' : 'None', inlines };
}

function toInline({ text, isBold = false, address }: Run) {
  return {
    ...{ type: 'TextRun', text, ...(isBold && { weight: 'Bolder' }) },
    ...(address !== undefined && { selectAction: { type: 'Action.OpenUrl', url: address } }),
  };
}

/** No '{{DATE(…)}}' of cards, '${…}' of their templates or '@{…}' of workflows begins in a name. */
function breakTemplates(text: string): string {
  return text.replaceAll(/[{$@](?=\{)/g, '$&\u200b');
}
