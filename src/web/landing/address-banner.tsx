import { Suspense, lazy } from 'react';
import { useHydrated } from '../use-hydrated.ts';

/** Few come with something amiss, so only they fetch it. */
const VisitorsBanner = lazy(async () => ({
  default: (await import('./visitors-banner.tsx')).VisitorsBanner,
}));

/** What the address wants to say. The page itself is the same for everybody, so this comes with the script. */
export function AddressBanner() {
  const isHydrated = useHydrated();
  if (!isHydrated) return null;
  const params = new URLSearchParams(window.location.search);
  const code = params.get('error');
  if (code === null) return null;
  return (
    <Suspense>
      <VisitorsBanner code={code} params={params} />
    </Suspense>
  );
}
