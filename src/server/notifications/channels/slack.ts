import { DISCLAIMER } from '#core/labels.ts';
import { answersOf } from './answers.ts';
import type { Content, Line, Run } from './content.ts';
import { fitting, inert, linesOf } from './content.ts';
import type { HttpChannel } from './http-channel.ts';
import { fixedHosts, postJson } from './http-channel.ts';

const BLOCKS_MAX = 50;
const TEXT_MAX = 3_000;
/** Besides those of statuses 404 and 410. */
const GONE =
  /^(invalid_token|no_service|no_service_id|no_team|no_active_hooks|team_disabled|channel_not_found|channel_is_archived)$/;

/** An incoming webhook of Slack. Names stand in `rich_text` and `plain_text`, in which Slack looks for no markup. */
export const slack: HttpChannel = {
  parse: fixedHosts({
    hosts: ['hooks.slack.com'],
    path: /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/,
    copy: 'Enter a webhook URL of Slack. It begins with https://hooks.slack.com/services/.',
  }),
  request({ address }, message, { publicUrl }) {
    const body = fitting({ message, publicUrl, say: inert }, toMessage, ({ blocks }) => {
      const isSmall = blocks.every((block) => JSON.stringify(block).length <= TEXT_MAX);
      return isSmall && blocks.length <= BLOCKS_MAX;
    });
    return postJson(address, JSON.stringify(body));
  },
  answer: answersOf({
    name: 'Slack',
    isGone: ({ status, body }) => status === 404 || status === 410 || GONE.test(body),
  }),
};

function toMessage({ title, parts, buttons, page, isCut }: Content) {
  const textsOf = (some: Content['parts']) => some.map((part) => richText(linesOf(part, page)));
  const details = parts.findIndex((part) => !('paragraph' in part));
  const lead = details < 0 ? parts.length : details;
  return {
    // What notifications show. It is markup, unlike the blocks.
    text: escapeMarkup(title),
    blocks: [
      { type: 'header', text: plainText(title) },
      ...textsOf(parts.slice(0, lead)),
      {
        type: 'actions',
        elements: buttons.map(({ label, address }, index) => ({
          ...{ type: 'button', text: plainText(label), url: address },
          ...(index === 0 && { style: 'primary' }),
        })),
      },
      ...textsOf(parts.slice(lead)),
      ...(isCut ? [richText([{ runs: [{ text: '…' }] }])] : []),
      { type: 'context', elements: [plainText(DISCLAIMER)] },
    ],
  };
}

function plainText(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

function richText(lines: readonly Line[]) {
  return { type: 'rich_text', elements: elementsOf(lines) };
}

function elementsOf(lines: readonly Line[]): object[] {
  const section = ({ runs }: Line) => ({ type: 'rich_text_section', elements: runs.map(toElement) });
  const [texts, items] = [
    lines.filter(({ isItem }) => isItem !== true),
    lines.filter(({ isItem }) => isItem),
  ];
  const list = { type: 'rich_text_list', style: 'bullet', elements: items.map(section) };
  return [...texts.map(section), ...(items.length === 0 ? [] : [list])];
}

function toElement({ text, isBold = false, address }: Run) {
  const style = isBold ? { style: { bold: true } } : {};
  return address === undefined
    ? { type: 'text', text, ...style }
    : { type: 'link', url: address, text, ...style };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
