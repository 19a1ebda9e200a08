import { Alert, Container } from '@mantine/core';
import { useSearchParams } from 'react-router';

interface Banner {
  title: string;
  advice: string;
  color: 'red' | 'yellow' | 'green';
}

const error = (title: string, advice: string): Banner => ({ title, advice, color: 'red' });
const warning = (title: string, advice: string): Banner => ({ title, advice, color: 'yellow' });

const BANNERS = new Map<string, Banner>([
  ['AUTH_FAILED', error('Authentication Failed', 'The login did not succeed. Please try logging in again.')],
  [
    'INVALID_STATE',
    error('Security Error', 'The login could not be verified as yours. Please log in again from this page.'),
  ],
  [
    'NO_CODE',
    error('Authentication Error', 'Facebook did not confirm the login. Please try logging in again.'),
  ],
  [
    'FACEBOOK_ERROR',
    error('Facebook Error', 'Facebook reported a problem with the login. Please try again in a moment.'),
  ],
  ['TOKEN_EXPIRED', warning('Session Expired', 'Your access has expired. Please log in again to renew it.')],
  [
    'TOKEN_STALE',
    warning('Token Refresh Required', 'Your access to Meta runs out soon. Please log in again to renew it.'),
  ],
  [
    'ACCESS_DENIED',
    error(
      'Access Denied',
      'You do not have access to that, or the permissions were not granted. Log in again to grant them.',
    ),
  ],
  ['ADMIN_REQUIRED', error('Admin Access Required', 'That page is for administrators only.')],
  [
    'ACCOUNT_DELETE_FAILED',
    error('Account Deletion Failed', 'Your account could not be deleted. Please try again in Settings.'),
  ],
  [
    'DEAUTH_SUCCESS',
    {
      title: 'Successfully Deauthorized',
      advice: 'SmartPause no longer has access to your ad accounts. You can log in again at any time.',
      color: 'green',
    },
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

/** What the address wants to say with `?error=CODE`, on any page, until it is dismissed. */
export function ErrorBanner() {
  const [params, setParams] = useSearchParams();
  const code = params.get('error');
  if (code === null) return null;
  const { title, advice, color } = BANNERS.get(code) ?? UNKNOWN_CODE;
  const dismiss = () =>
    setParams(
      (before) => {
        before.delete('error');
        return before;
      },
      { replace: true },
    );
  return (
    <Container size="lg" mt="md">
      <Alert
        title={title}
        color={color}
        role={color === 'red' ? 'alert' : 'status'}
        withCloseButton
        closeButtonLabel="Dismiss"
        onClose={dismiss}
      >
        {advice}
      </Alert>
    </Container>
  );
}
