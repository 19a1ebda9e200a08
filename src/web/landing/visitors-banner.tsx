import { Container } from '@mantine/core';
import { useState } from 'react';
import { Banner } from '../components/banner.tsx';
import { bannerWords } from '../components/banner-words.ts';
import { withoutError } from '../return-to.ts';
import { useVisitorsReturn } from './visitors-return.ts';

/** `?error=CODE`, until it is dismissed. */
export function VisitorsBanner({ code, params }: { code: string; params: URLSearchParams }) {
  const [isDismissed, setDismissed] = useState(false);
  const returnTo = useVisitorsReturn();
  if (isDismissed) return null;
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
