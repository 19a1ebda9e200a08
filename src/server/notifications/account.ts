import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/labels.ts';
import type { NotifiedCampaign } from './campaigns.ts';
import { byAccount } from './campaigns.ts';
import type { Block, Notification } from './blocks.ts';

export interface TokenFacts {
  publicUrl: string;
  /** Null: the platform rejected it before its expiry. */
  expiresAt: Instant | null;
  /** The user has taken back the required permission. */
  lacksPermission: boolean;
  /** Campaigns that SmartPause holds and cannot resume without access. */
  held: readonly NotifiedCampaign[];
}

export function tokenStaleNotification({
  publicUrl,
  expiresAt,
}: Pick<TokenFacts, 'publicUrl' | 'expiresAt'>): Notification {
  const when = expiresAt === null ? 'soon' : `on ${fullTime(expiresAt)}`;
  return {
    subject: `Your Meta connection expires ${when}`,
    preview: 'Log in once to renew it and stay protected.',
    title: 'Reconnect Meta to stay protected',
    blocks: [
      `SmartPause's connection to your Meta ad accounts expires ${when}. To renew it, log in to SmartPause once. Everything works until then. After that, SmartPause can't pause or resume your campaigns.`,
      logIn(publicUrl),
    ],
  };
}

export function tokenExpiredNotification({ publicUrl, held, ...token }: TokenFacts): Notification {
  const stranded: Block[] =
    held.length === 0
      ? []
      : [
          `${counted(held.length, 'campaign')} paused by SmartPause can't be resumed until you log in. You can also resume ${held.length === 1 ? 'it' : 'them'} in Ads Manager.`,
          ...byAccount('Still paused', held),
        ];
  return {
    subject: 'Your Meta connection has expired: please log in again',
    preview: "Until you log in, SmartPause can't pause or resume your campaigns.",
    title: 'Please log in to reconnect Meta',
    blocks: [
      `${causeCopy(token)} Until you log in again, SmartPause can't pause or resume your campaigns.`,
      ...stranded,
      logIn(publicUrl),
    ],
  };
}

function causeCopy({ expiresAt, lacksPermission }: Omit<TokenFacts, 'publicUrl' | 'held'>): string {
  if (lacksPermission)
    return 'SmartPause no longer has the permission to manage your ads (ads_management). Meta asks for it again when you log in.';
  return expiresAt === null
    ? 'Meta no longer accepts our connection to your ad accounts. The access was revoked, or your password changed.'
    : `Your Meta connection expired on ${fullTime(expiresAt)}.`;
}

const FORMER = "You're receiving this email because you used SmartPause.";

export interface FarewellFacts {
  publicUrl: string;
  at: Instant;
  /** The user removed the app on Meta, not here. */
  byMeta: boolean;
  /** Campaigns resumed because the user left. */
  resumed: readonly NotifiedCampaign[];
  /** Campaigns that stay paused, because Meta had already revoked our access. */
  stranded: readonly NotifiedCampaign[];
  /** Null: never. */
  subscribed: 'renews' | 'was' | null;
}

const GOES_ON =
  'Your subscription is still active and will be charged. To cancel it, log in and go to Settings > Billing.';
const CHARGED_NO_MORE =
  "Your subscription ended with your account, and your Stripe customer record is deleted. You won't be charged again.";

export function deauthorizedNotification(facts: FarewellFacts): Notification {
  return {
    subject: 'SmartPause no longer has access to your ad accounts',
    preview: 'Your campaigns are no longer protected. You can come back anytime.',
    title: 'Access revoked',
    why: FORMER,
    blocks: [
      `${facts.byMeta ? 'You removed SmartPause on Meta' : 'You revoked our access in Settings'}. Since ${fullTime(facts.at)} we no longer have access to your ad accounts. We deleted our access token, and your campaigns are no longer protected.`,
      ...byAccount('Resumed', facts.resumed),
      ...strandedCopy(facts.stranded),
      ...(facts.subscribed === 'renews' ? [GOES_ON] : []),
      'SmartPause is off for every campaign. Your settings are kept. To come back, log in again and complete the setup.',
      logIn(facts.publicUrl),
    ],
  };
}

export function deletedNotification(
  facts: FarewellFacts & { confirmationCode: string | null },
): Notification {
  const { confirmationCode: code } = facts;
  return {
    subject: 'Your SmartPause account is deleted',
    preview: 'Your data is deleted. This is our last email to you.',
    title: 'Your account is deleted',
    why: FORMER,
    blocks: [
      `${facts.byMeta ? 'As you requested on Meta, your' : 'Your'} account was deleted on ${fullTime(facts.at)}. We deleted your name, email address, settings and history, and our access to your ad accounts. We keep only a fingerprint that doesn't reveal your name or id, so that each person gets one free trial${code === null ? '' : ', and the code below'}.`,
      ...(code === null ? [] : [{ kind: 'facts', rows: [['Confirmation code', code]] } as const]),
      ...byAccount('Resumed', facts.resumed),
      ...strandedCopy(facts.stranded),
      ...(facts.subscribed === null ? [] : [CHARGED_NO_MORE]),
      'This is our last email to you.',
    ],
  };
}

function strandedCopy(stranded: readonly NotifiedCampaign[]): Block[] {
  if (stranded.length === 0) return [];
  const them = stranded.length === 1 ? 'it' : 'them';
  return [
    `Please check ${counted(stranded.length, 'campaign')} in Ads Manager. SmartPause had paused ${them} and couldn't resume ${them} because our access was already revoked.`,
    ...byAccount('Still paused', stranded),
  ];
}

function logIn(publicUrl: string): Block {
  return { kind: 'button', label: 'Log in to SmartPause', address: `${publicUrl}/auth/facebook` };
}
