import type { ApiName } from '#contract/api.ts';
import type { RefusalCode } from '#contract/errors.ts';

export interface CallCopy {
  chapter: Chapter;
  summary: string;
  /** In addition to the errors that every call of its kind can return. */
  refusals?: readonly RefusalCode[];
}

export const CHAPTERS = [
  'Status',
  'Campaigns',
  'History',
  'Settings',
  'Billing',
  'Account',
  'Administrators',
] as const;
type Chapter = (typeof CHAPTERS)[number];

const ASKING_META = ['TOKEN_EXPIRED', 'PLATFORM_UNAVAILABLE', 'ACCESS_DENIED'] as const;
const ACTING = ['NOT_INITIALIZED', 'ACCOUNT_LEAVING'] as const;
const ASKING_STRIPE = ['BILLING_UNAVAILABLE', 'BILLING_MISCONFIGURED'] as const;

/** The description of every call. A call without one does not compile. */
export const CALL_WORDS: Record<ApiName, CallCopy> = {
  status: { chapter: 'Status', summary: "What Meta's status page says, as it was last read." },
  userStatus: {
    chapter: 'Status',
    summary: 'Your settings, when paused campaigns are resumed, and which campaigns are not paused yet.',
  },
  outages: {
    chapter: 'History',
    summary:
      'Your outages of the last 400 days, newest first: level, Meta’s words, and what happened to your campaigns.',
    refusals: ['AD_ACCOUNT_NOT_FOUND'],
  },
  outage: {
    chapter: 'History',
    summary:
      'One outage: the level over time, and for each campaign when it was paused and resumed, or why it was not.',
    refusals: ['NOT_FOUND', 'AD_ACCOUNT_NOT_FOUND'],
  },
  campaignHistory: {
    chapter: 'History',
    summary: 'What happened to one campaign in the last 400 days, and why.',
    refusals: ['CAMPAIGN_NOT_FOUND'],
  },
  replayOutages: {
    chapter: 'Settings',
    summary: 'What SmartPause would have done with these, or your saved, settings in the last twelve months.',
  },
  adAccounts: {
    chapter: 'Campaigns',
    summary: 'The ad accounts that you have access to.',
    refusals: ASKING_META,
  },
  campaigns: {
    chapter: 'Campaigns',
    summary: 'The campaigns of an ad account: the stored list with its age. An old list is refreshed.',
    refusals: [...ASKING_META, 'AD_ACCOUNT_NOT_FOUND'],
  },
  setSmartPause: {
    chapter: 'Campaigns',
    summary: 'Turns SmartPause on or off for a campaign. Turned off, a held one is given back at once.',
    refusals: [
      ...ASKING_META,
      ...ACTING,
      'SUBSCRIPTION_REQUIRED',
      'AD_ACCOUNT_NOT_FOUND',
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_BUSY',
      'LEGACY_CAMPAIGN',
    ],
  },
  pauseCampaign: {
    chapter: 'Campaigns',
    summary:
      'Pauses a campaign manually: SmartPause does not resume it. 202 with `pending`: Meta has not confirmed it yet.',
    refusals: [
      ...ASKING_META,
      ...ACTING,
      'SUBSCRIPTION_REQUIRED',
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_BUSY',
      'CAMPAIGN_ACTION_FAILED',
      'LEGACY_CAMPAIGN',
    ],
  },
  resumeCampaign: {
    chapter: 'Campaigns',
    summary:
      'Resumes a campaign manually, unless SmartPause is on for it. 202 with `pending`: Meta has not confirmed it yet.',
    refusals: [
      ...ASKING_META,
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_BUSY',
      'CAMPAIGN_ACTION_FAILED',
      'SMARTPAUSE_ACTIVE',
      'LEGACY_CAMPAIGN',
    ],
  },
  dryRun: {
    chapter: 'Campaigns',
    summary:
      "Which campaigns SmartPause would pause if Meta's status met your threshold now, and why not the others. Changes nothing.",
    refusals: ASKING_META,
  },
  liveTest: { chapter: 'Campaigns', summary: 'Your newest live test, or null.' },
  startLiveTest: {
    chapter: 'Campaigns',
    summary: 'Starts a live test: pauses a running campaign and resumes it about a minute later.',
    refusals: [
      ...ASKING_META,
      ...ACTING,
      'SUBSCRIPTION_REQUIRED',
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_NOT_RUNNING',
      'CAMPAIGN_BUSY',
      'CAMPAIGN_ACTION_FAILED',
      'LEGACY_CAMPAIGN',
      'LIVE_TEST_RUNNING',
      'OUTAGE_ONGOING',
    ],
  },
  endLiveTest: { chapter: 'Campaigns', summary: 'Ends your running live test: resumes its campaign now.' },
  saveSettings: {
    chapter: 'Settings',
    summary: 'Changes threshold, resume times and the email address.',
    refusals: ['SUBSCRIPTION_REQUIRED', 'THRESHOLD_LOCKED', 'NOT_INITIALIZED', 'ACCOUNT_LEAVING'],
  },
  initialize: {
    chapter: 'Settings',
    summary:
      'Completes the setup; again, it saves the settings. Returns a new session; this one ends 60 seconds later.',
    refusals: ['SUBSCRIPTION_REQUIRED', 'THRESHOLD_LOCKED', 'ACCOUNT_LEAVING'],
  },
  subscription: { chapter: 'Billing', summary: 'Your subscription, and whether a trial is to be had.' },
  createCheckoutSession: {
    chapter: 'Billing',
    summary: 'Where to subscribe: a page of Stripe.',
    refusals: [...ASKING_STRIPE, 'ACCOUNT_LEAVING', 'ALREADY_SUBSCRIBED', 'PAYMENT_DUE'],
  },
  createPortalSession: {
    chapter: 'Billing',
    summary: 'Where to manage it: a page of Stripe.',
    refusals: [...ASKING_STRIPE, 'NO_BILLING'],
  },
  refreshSubscription: {
    chapter: 'Billing',
    summary: 'Reads the subscription from Stripe now.',
    refusals: ASKING_STRIPE,
  },
  me: {
    chapter: 'Account',
    summary: "Who you are, what you may do, and how good Meta's permission still is.",
  },
  endOtherSessions: { chapter: 'Account', summary: 'Ends all of your sessions but this one.' },
  deauthorize: {
    chapter: 'Account',
    summary: "Gives everything held back and revokes Meta's permission. Settings stay.",
    refusals: ['ACCOUNT_LEAVING', 'DEAUTH_FAILED', 'BILLING_UNAVAILABLE'],
  },
  deleteAccount: {
    chapter: 'Account',
    summary: 'Gives everything held back and deletes all that is stored about you.',
    refusals: ['SUBSCRIPTION_ACTIVE', 'ACCOUNT_LEAVING', 'ACCOUNT_DELETE_FAILED', 'BILLING_UNAVAILABLE'],
  },
  deletionStatus: {
    chapter: 'Account',
    summary: 'What has become of a deletion that was asked for at Meta, by its confirmation code.',
    refusals: ['DELETION_NOT_FOUND'],
  },
  adminStats: { chapter: 'Administrators', summary: 'How many users and campaigns there are.' },
  adminActivity: { chapter: 'Administrators', summary: 'The newest activities of all users.' },
  adminStatus: {
    chapter: 'Administrators',
    summary: 'The status as it was read, and the override in force.',
  },
  adminSystemHealth: {
    chapter: 'Administrators',
    summary: 'The parts that can fail, with the numbers of the metrics.',
  },
  adminAction: {
    chapter: 'Administrators',
    summary: 'Overrides the status for all users, or changes the own subscription.',
    refusals: ['NOT_FOUND', 'BILLING_UNAVAILABLE'],
  },
};
