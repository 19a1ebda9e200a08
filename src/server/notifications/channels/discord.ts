import { DISCLAIMER } from '#core/labels.ts';
import { STYLE } from '../layout.ts';
import { answersOf } from './answers.ts';
import type { Content, Line, Run } from './content.ts';
import { fitting, linesOf } from './content.ts';
import type { HttpChannel } from './http-channel.ts';
import { fixedHosts, postJson } from './http-channel.ts';

const DESCRIPTION_MAX = 4_096;
const EMBED_MAX = 6_000;

/** An incoming webhook of Discord: one embed. */
export const discord: HttpChannel = {
  parse: fixedHosts({
    hosts: ['discord.com', 'discordapp.com'],
    path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/,
    copy: 'Enter a webhook URL of Discord. It begins with https://discord.com/api/webhooks/.',
  }),
  request({ address }, message, { publicUrl }) {
    const embed = fitting(
      { message, publicUrl, say: escapeMarkdown },
      toEmbed,
      ({ title, description, footer }) => {
        const all = title.length + description.length + footer.text.length;
        return description.length <= DESCRIPTION_MAX && all <= EMBED_MAX;
      },
    );
    const timestamp = new Date(message.occurredAt).toISOString();
    // Even if Discord read a name as a mention, it would notify no user.
    const body = { embeds: [{ ...embed, timestamp }], allowed_mentions: { parse: [] } };
    return postJson(address, JSON.stringify(body));
  },
  answer: answersOf({ name: 'Discord', isGone: ({ status }) => [401, 404, 410].includes(status) }),
};

function toEmbed({ title, level, parts, buttons, page, isCut }: Content) {
  const links: Line = { runs: buttons.map(({ label, address }) => ({ text: label, address })) };
  const paragraphs = parts.map((part) => linesOf(part, page).map(markdown).join('\n'));
  return {
    title,
    url: page,
    color: parseInt((level === null ? STYLE.link : STYLE.shape[level]).slice(-6), 16),
    description: [...paragraphs, ...(isCut ? ['…'] : []), links.runs.map(link).join(' · ')].join('\n\n'),
    footer: { text: DISCLAIMER },
  };
}

function markdown({ runs, isItem = false }: Line): string {
  return `${isItem ? '- ' : ''}${runs.map(link).join('')}`;
}

function link({ text, isBold = false, address }: Run): string {
  if (address !== undefined) return `[${text}](${address})`;
  return isBold ? `**${text}**` : text;
}

/** A backslash makes any of Discord's signs a plain one; a colon is one before an emoji's name and in an address. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|<>#[\]@]|:(?=[^\s\d])/g, String.raw`\$&`);
}
