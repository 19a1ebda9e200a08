import { fullTime } from '#core/new-york.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { counted, resumeWords } from '#core/words.ts';
import type { ToldCampaign } from './acts.ts';
import { byAccount } from './acts.ts';
import type { Block, Mail } from './blocks.ts';

export interface TokenFacts {
  publicUrl: string;
  /** Null: the platform refused it before its time. */
  expiresAt: Instant | null;
  /** What SmartPause holds now and cannot resume without access. */
  held: readonly ToldCampaign[];
}

export function tokenStaleMail({ publicUrl, expiresAt }: TokenFacts): Mail {
  const when = expiresAt === null ? 'soon' : `on ${fullTime(expiresAt)}`;
  return {
    subject: `Renew SmartPause's access to Meta: it ends ${when}`,
    preview: 'Log in once, and it is renewed. Until then everything works.',
    title: 'Please renew our access to Meta',
    blocks: [
      {
        kind: 'text',
        text: `The access that Meta gave us to your ad accounts ends ${when}. Meta wants you to renew it yourself: log in to SmartPause once, that is all. Until then everything works as before; after that SmartPause could neither pause nor resume anything.`,
      },
      logIn(publicUrl),
    ],
  };
}

export function tokenExpiredMail({ publicUrl, expiresAt, held }: TokenFacts): Mail {
  const cause =
    expiresAt === null
      ? 'Meta no longer accepts the access that you gave us: it was withdrawn, or your password was changed.'
      : `The access that Meta gave us ended on ${fullTime(expiresAt)}.`;
  const stranded: Block[] =
    held.length === 0
      ? []
      : [
          {
            kind: 'text',
            text: `SmartPause holds ${counted(held.length, 'campaign')} now and cannot resume ${held.length === 1 ? 'it' : 'them'} without access. Log in, and it goes on by itself; or resume ${held.length === 1 ? 'it' : 'them'} in Ads Manager.`,
          },
          ...byAccount('Still paused', held),
        ];
  return {
    subject: 'SmartPause has lost its access to Meta: please log in again',
    preview: 'Until you log in, SmartPause can neither pause nor resume anything for you.',
    title: 'Please log in again',
    blocks: [
      {
        kind: 'text',
        text: `${cause} Until you log in again, SmartPause can neither pause nor resume anything for you.`,
      },
      ...stranded,
      logIn(publicUrl),
    ],
  };
}

export interface WelcomeFacts {
  publicUrl: string;
  name: string;
  threshold: Threshold;
  resume: ResumeSettings;
}

export function welcomeMail({ publicUrl, name, threshold, resume }: WelcomeFacts): Mail {
  return {
    subject: 'Welcome to SmartPause',
    preview: 'Your account is set up. Turn SmartPause on for the campaigns it should look after.',
    title: `Welcome, ${name}`,
    blocks: [
      {
        kind: 'text',
        text: "Your account is set up. SmartPause watches the status of Meta's ad services day and night; when a disruption meets your threshold it pauses the campaigns for which you turned it on, and afterwards resumes exactly those.",
      },
      {
        kind: 'facts',
        rows: [
          ['Your threshold', threshold.toLowerCase()],
          ['Resumes', `${resumeWords(resume)}${resume.mode === 'next_day' ? ' after a disruption' : ''}`],
        ],
      },
      {
        kind: 'text',
        text: 'The next step: turn SmartPause on for the campaigns it should look after. It leaves all others alone.',
      },
      { kind: 'button', label: 'Choose campaigns', address: publicUrl },
    ],
  };
}

const FORMER = 'You get this mail because you used SmartPause.';

export interface FarewellFacts {
  publicUrl: string;
  at: Instant;
  /** They did it on Meta, not here. */
  byMeta: boolean;
  /** What was given back on the way out. */
  resumed: readonly ToldCampaign[];
  /** What could not be given back, because Meta had taken our access away already. */
  stranded: readonly ToldCampaign[];
  /** Null: never. */
  subscribed: 'renews' | 'was' | null;
}

const GOES_ON =
  'Your subscription goes on and will be charged. If you do not want that, log in and cancel it under Billing in Settings.';
const CHARGED_NO_MORE =
  'Your subscription has ended with your account, and your record at our payment provider is deleted: nothing is charged any more.';

export function deauthorizedMail(facts: FarewellFacts): Mail {
  return {
    subject: 'SmartPause no longer has access to your ad accounts',
    preview: 'No campaign is looked after any more. You can come back at any time.',
    title: 'Access revoked',
    why: FORMER,
    blocks: [
      {
        kind: 'text',
        text: `${facts.byMeta ? 'You removed SmartPause on Meta' : 'You revoked our access in Settings'}; since ${fullTime(facts.at)} we have no access to your ad accounts. Our copy of the access is deleted, and no campaign is looked after any more.`,
      },
      ...byAccount('Resumed', facts.resumed),
      ...strandedWords(facts.stranded),
      ...(facts.subscribed === 'renews' ? [{ kind: 'text', text: GOES_ON } as const] : []),
      {
        kind: 'text',
        text: 'SmartPause is turned off for every campaign; your settings are kept. To come back, log in again and complete the setup.',
      },
      logIn(facts.publicUrl),
    ],
  };
}

export function deletedMail(facts: FarewellFacts & { confirmationCode: string | null }): Mail {
  const { confirmationCode: code } = facts;
  return {
    subject: 'Your SmartPause account is deleted',
    preview: 'Everything we knew about you is gone. This is our last mail to you.',
    title: 'Your account is deleted',
    why: FORMER,
    blocks: [
      {
        kind: 'text',
        text: `${facts.byMeta ? 'As you asked on Meta, your' : 'Your'} account was deleted on ${fullTime(facts.at)}: your name, address, settings and history, and our access to your ad accounts. All that is kept is a fingerprint that no longer says who you are, so that a free trial is given once${code === null ? '' : ', and the code below'}.`,
      },
      ...(code === null ? [] : [{ kind: 'facts', rows: [['Confirmation code', code]] } as const]),
      ...byAccount('Resumed', facts.resumed),
      ...strandedWords(facts.stranded),
      ...(facts.subscribed === null ? [] : [{ kind: 'text', text: CHARGED_NO_MORE } as const]),
      { kind: 'text', text: 'This is our last mail to you.' },
    ],
  };
}

function strandedWords(stranded: readonly ToldCampaign[]): Block[] {
  if (stranded.length === 0) return [];
  const them = stranded.length === 1 ? 'it' : 'them';
  return [
    {
      kind: 'text',
      text: `Please look at ${counted(stranded.length, 'campaign')} in Ads Manager: SmartPause had paused ${them}, and could not resume ${them} since our access was gone already.`,
    },
    ...byAccount('Still paused', stranded),
  ];
}

function logIn(publicUrl: string): Block {
  return { kind: 'button', label: 'Log in to SmartPause', address: `${publicUrl}/auth/facebook` };
}
