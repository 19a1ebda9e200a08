import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Evidence, LoggedEvent } from './evidence.ts';

interface MailVerdict {
  broken: string[];
  counts: { mails: number; mailsTwice: number };
}

/** Every pause and every resume is told in exactly one mail, to whom it concerns. A mail lists each campaign once. */
export function judgeMails(evidence: Evidence): MailVerdict {
  const byId = Map.groupBy(evidence.mails, (mail) => mail.messageId ?? `without an id ${mail.n}`);
  const broken = [...byId.values()].flatMap((same) =>
    new Set(same.map(({ text }) => text)).size === 1
      ? []
      : [`one mail with two texts: ${same[0]?.subject ?? ''}`],
  );
  const mails = [...byId.values()].flatMap((same) => same.slice(0, 1));
  evidence.people.forEach(({ email, index }, at) => {
    const own = mails.filter(({ to }) => to.includes(email));
    const { activities = [] } = evidence.exports[at] ?? {};
    for (const [verb, event] of [
      ['Paused', 'paused'],
      ['Resumed', 'resumed'],
    ] as const) {
      for (const [account, name] of accountsOf(evidence)) {
        const acts = activities.filter((one) => one.event === event && one.adAccountId === account);
        const done = acts.length;
        const told = own.reduce((sum, mail) => sum + countIn(mail, verb, name), 0);
        const { least, most } = countsOf(
          evidence.events.filter((one) => one.to === email && one.account === account),
          event,
        );
        if (told < least || told > most)
          broken.push(`person ${index}, ${name}: ${done} '${event}', told in mails ${told} times`);
      }
    }
  });
  return { broken, counts: { mails: mails.length, mailsTwice: evidence.mails.length - mails.length } };
}

/** How many campaigns the mails list with this event: with the last one of each campaign and mail. */
function countsOf(events: readonly LoggedEvent[], event: string): { least: number; most: number } {
  const last = new Map(events.map((one, at) => [`${one.mail} ${one.campaign}`, { ...one, at }]));
  const listed = [...last.values()].filter((one) => one.event === event);
  // A mail also lists what its user ended themselves, which no mail of its own tells.
  const isSure = ({ campaign, at }: { campaign: string; at: number }) =>
    !events.slice(at + 1).some((one) => one.campaign === campaign && one.event === 'let_go');
  return { least: listed.filter(isSure).length, most: listed.length };
}

function accountsOf(evidence: Evidence): Map<string, string> {
  return new Map(evidence.campaigns.map(({ account, accountName }) => [account, accountName]));
}

/** A list's heading says how many it names, also when it is too long to name all. */
function countIn(mail: Mail, verb: string, account: string): number {
  const heading = new RegExp(`^${verb} in ${account} \\((\\d+) campaigns?\\):$`, 'gm');
  return [...(mail.text ?? '').matchAll(heading)].reduce((sum, [, count]) => sum + Number(count), 0);
}
