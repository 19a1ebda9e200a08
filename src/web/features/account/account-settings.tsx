import { useHasCapability } from '../auth/auth-provider.tsx';
import { DangerZone } from './danger-zone.tsx';
import { Sessions } from './sessions.tsx';

/** In Settings: the sessions of this user, and the ways to leave. */
export function AccountSettings() {
  const hasSessions = useHasCapability('sessions');
  return (
    <>
      {hasSessions && <Sessions />}
      <DangerZone />
    </>
  );
}
