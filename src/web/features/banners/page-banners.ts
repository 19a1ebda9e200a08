import type { AccessState } from '#core/platform-access.ts';
import type { Act, Banner } from './banner.ts';
import { inOrder } from './banner.ts';

interface BannerCopy {
  title: string;
  advice: string;
  color: 'red' | 'yellow' | 'green';
  /** A new login solves the problem. */
  offersLogin: boolean;
}

const copyOf =
  (color: BannerCopy['color'], offersLogin = false) =>
  (title: string, advice: string): BannerCopy => ({ title, advice, color, offersLogin });
const error = copyOf('red');
const failedLogin = copyOf('red', true);
const warning = copyOf('yellow', true);
const success = copyOf('green');

/** By the code in the page's address, or by the state of Meta's permission. A map: an address may contain any key. */
const COPIES = new Map(
  Object.entries({
    AUTH_FAILED: failedLogin('Authentication Failed', 'The login didn’t work. Please try logging in again.'),
    INVALID_STATE: failedLogin(
      'Security Error',
      'This login didn’t start in this browser, or it took too long, so we stopped it. Start again here.',
    ),
    NO_CODE: failedLogin('Authentication Error', 'Facebook didn’t confirm the login. Please try again.'),
    FACEBOOK_ERROR: failedLogin(
      'Facebook Error',
      'Facebook reported a problem with the login. Please try again in a moment.',
    ),
    TOKEN_EXPIRED: warning('Session Expired', 'You were logged out.'),
    TOKEN_STALE: warning(
      'Token Refresh Required',
      'Your Meta connection expires soon. Reconnect to stay protected.',
    ),
    ACCESS_DENIED: failedLogin('Access Denied', 'You don’t have access to that, or the login was canceled.'),
    ADMIN_REQUIRED: error('Admin Access Required', 'That page is for admins only.'),
    ACCOUNT_DELETE_FAILED: error(
      'Account Deletion Failed',
      'Your account couldn’t be deleted. Please try again in Settings.',
    ),
    ACCOUNT_DELETED: success(
      'Account Deleted',
      'Your account and your data are deleted, and SmartPause no longer has access to your ad accounts.',
    ),
    DEAUTH_SUCCESS: success(
      'Successfully Deauthorized',
      'SmartPause no longer has access to your ad accounts. You can log in again anytime.',
    ),
    DEAUTH_FAILED: error(
      'Deauthorization Failed',
      'Our access couldn’t be revoked. Please try again in Settings.',
    ),
    CAMPAIGN_NOT_FOUND: error(
      'Campaign Not Found',
      'That campaign no longer exists, or you don’t have access to it. Choose another one from the list.',
    ),
    CAMPAIGN_ACTION_FAILED: error(
      'Campaign Action Failed',
      'Meta didn’t apply the change. Please try again in a moment.',
    ),
    SERVER_ERROR: error('Server Error', 'Something went wrong on our side. Please try again in a moment.'),
    NETWORK_ERROR: error('Network Error', 'The connection failed. Check your network and try again.'),
  }),
);

const UNKNOWN_CODE = error('Something Went Wrong', 'An unexpected error occurred. Please try again.');

/** The only required permission that the user can decline in Meta's dialog. */
function missingAdvice(missing: string | null): string | null {
  return missing === 'ads_management'
    ? 'SmartPause can’t pause or resume campaigns without permission to manage your ads. Meta asks again when you log in.'
    : null;
}

/** @param missing the declined permission; unknown values are ignored */
export function bannerCopy(code: string, missing: string | null): BannerCopy {
  const copy = COPIES.get(code) ?? UNKNOWN_CODE;
  const advice = (code === 'ACCESS_DENIED' ? missingAdvice(missing) : null) ?? copy.advice;
  return { ...copy, advice };
}

/** For a logged-in user whose Meta access expires soon or has ended. @param lacking the missing permission */
function copyOfAccess(access: AccessState, lacking: string | null): BannerCopy | null {
  if (access === 'ok') return null;
  if (access === 'stale') return bannerCopy('TOKEN_STALE', null);
  const advice =
    'Your Meta connection has expired. Until you reconnect, SmartPause can’t pause or resume your campaigns.';
  return { ...bannerCopy('TOKEN_EXPIRED', null), advice: missingAdvice(lacking) ?? advice };
}

/** For a user who is leaving while Meta's revocation fails. */
const LEAVING = {
  deauthorize: warning(
    'Your authorization is being revoked',
    'We’re still working on it. Until it’s done, no new campaigns are paused. Logging in again cancels this.',
  ),
  delete: copyOf('yellow')(
    'Your account is being deleted',
    'We’re still working on it. Until it’s done, no new campaigns are paused.',
  ),
};

export interface PageFacts {
  /** The code in the page's address, and the permission that it names; null: none. */
  code: string | null;
  missing: string | null;
  access: AccessState;
  lacking: string | null;
  leaving: keyof typeof LEAVING | null;
}

/** Banners of every page: an account deletion, the code in the address, an expiring Meta access. */
export function pageBanners({ code, missing, access, lacking, leaving }: PageFacts): Banner[] {
  const ofAccess = copyOfAccess(access, lacking);
  const ofCode = code === null ? null : bannerCopy(code, missing);
  const isTwice = ofCode !== null && ofCode.title === ofAccess?.title;
  return inOrder([
    leaving && { kind: 'leaving', ...drawn(LEAVING[leaving]) },
    ofCode && !isTwice ? { kind: 'address', ...drawn(ofCode), isDismissible: true } : null,
    ofAccess && { kind: 'access', ...drawn(ofAccess) },
  ]);
}

function drawn({ title, advice, color, offersLogin }: BannerCopy): Omit<Banner, 'kind'> {
  const acts: Act[] = offersLogin ? [{ act: 'log_in', label: 'Log in again' }] : [];
  return { tone: color, title, sentences: [advice], acts };
}
