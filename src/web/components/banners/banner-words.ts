export interface BannerWords {
  title: string;
  advice: string;
  color: 'red' | 'yellow' | 'green';
  /** Logging in is what helps. */
  offersLogin: boolean;
}

type Words = Omit<BannerWords, 'offersLogin'>;

const error = (title: string, advice: string): Words => ({ title, advice, color: 'red' });
const warning = (title: string, advice: string): Words => ({ title, advice, color: 'yellow' });
const success = (title: string, advice: string): Words => ({ title, advice, color: 'green' });

/** By the code in the page's address, or by how good Meta's permission still is. */
const MENDED_BY_LOGIN = new Map<string, Words>([
  ['AUTH_FAILED', error('Authentication Failed', 'The login did not succeed. Please try logging in again.')],
  [
    'INVALID_STATE',
    error(
      'Security Error',
      'The login could not be verified as yours, so it was stopped. Please start anew.',
    ),
  ],
  ['NO_CODE', error('Authentication Error', 'Facebook did not confirm the login. Please try once more.')],
  [
    'FACEBOOK_ERROR',
    error('Facebook Error', 'Facebook reported a problem with the login. Please try again in a moment.'),
  ],
  [
    'TOKEN_EXPIRED',
    warning(
      'Session Expired',
      'Meta no longer accepts our access. Until you renew it, SmartPause can neither pause nor resume your campaigns.',
    ),
  ],
  [
    'TOKEN_STALE',
    warning(
      'Token Refresh Required',
      'Your access to Meta runs out soon. Renew it, so that SmartPause can go on looking after your campaigns.',
    ),
  ],
  [
    'ACCESS_DENIED',
    error('Access Denied', 'You do not have access to that, or the login was canceled or not permitted.'),
  ],
]);

const OTHERS = new Map<string, Words>([
  ['ADMIN_REQUIRED', error('Admin Access Required', 'That page is for administrators only.')],
  [
    'ACCOUNT_DELETE_FAILED',
    error('Account Deletion Failed', 'Your account could not be deleted. Please try again in Settings.'),
  ],
  [
    'DEAUTH_SUCCESS',
    success(
      'Successfully Deauthorized',
      'SmartPause no longer has access to your ad accounts. You can log in again at any time.',
    ),
  ],
  [
    'DEAUTH_FAILED',
    error('Deauthorization Failed', 'The access could not be revoked. Please try again in Settings.'),
  ],
  [
    'CAMPAIGN_NOT_FOUND',
    error(
      'Campaign Not Found',
      'That campaign does not exist any more, or it is not yours. Choose another one from the list.',
    ),
  ],
  [
    'CAMPAIGN_ACTION_FAILED',
    error('Campaign Action Failed', 'Meta did not carry out the change. Please try again in a moment.'),
  ],
  ['SERVER_ERROR', error('Server Error', 'Something went wrong on our side. Please try again in a moment.')],
  ['NETWORK_ERROR', error('Network Error', 'The connection failed. Check your network and try again.')],
]);

const UNKNOWN_CODE = error('Something Went Wrong', 'An unexpected error occurred. Please try again.');

/** Permissions that may be declined in Meta's dialog and without which nobody is let in. */
const MISSING = new Map<string, string>([
  [
    'ads_management',
    'SmartPause needs the permission to manage your ads: without it, it can neither pause nor resume a campaign. When you log in again, Meta asks for it once more.',
  ],
]);

/** @param missing the permission that was declined, as the address has it; what is not known is ignored */
export function bannerWords(code: string, missing: string | null = null): BannerWords {
  const byLogin = MENDED_BY_LOGIN.get(code);
  if (byLogin === undefined) return { ...(OTHERS.get(code) ?? UNKNOWN_CODE), offersLogin: false };
  const needed = code === 'ACCESS_DENIED' && missing !== null ? MISSING.get(missing) : undefined;
  return { ...byLogin, advice: needed ?? byLogin.advice, offersLogin: true };
}

/** While somebody is leaving, and Meta has not let us finish. */
export const LEAVING_WORDS: Record<'deauthorize' | 'delete', BannerWords> = {
  deauthorize: {
    ...warning(
      'Your authorization is being revoked',
      'It is not finished yet, and we keep trying; until then nothing new is paused. Whoever logs in again keeps it.',
    ),
    offersLogin: true,
  },
  delete: {
    ...warning(
      'Your account is being deleted',
      'It is not finished yet, and we keep trying; until then nothing new is paused.',
    ),
    offersLogin: false,
  },
};
