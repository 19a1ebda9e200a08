import { Container } from '@mantine/core';
import { useState } from 'react';
import { Banner } from '../components/banner.tsx';
import { bannerWords } from '../components/banner-words.ts';
import { withoutError } from '../return-to.ts';
import { useHydrated } from '../use-hydrated.ts';
import { useVisitorsReturn } from './visitors-return.ts';

/** `?error=CODE`, until it is dismissed. The page itself is the same for everybody, so it comes with the script. */
export function AddressBanner() {
  const isHydrated = useHydrated();
  const [isDismissed, setDismissed] = useState(false);
  const returnTo = useVisitorsReturn();
  if (!isHydrated || isDismissed) return null;
  const params = new URLSearchParams(window.location.search);
  const code = params.get('error');
  if (code === null) return null;
  const dismiss = () => {
    const rest = withoutError(params).toString();
    window.history.replaceState(window.history.state, '', `/${rest === '' ? '' : `?${rest}`}`);
    setDismissed(true);
  };
  return (
    <Container size="lg" w="100%" mt="md">
      <Banner words={bannerWords(code, params.get('missing'))} returnTo={returnTo} onDismiss={dismiss} />
    </Container>
  );
}
