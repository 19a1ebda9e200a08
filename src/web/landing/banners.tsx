import { Container, MantineProvider } from '@mantine/core';
import { StrictMode, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { bannerWords } from '../components/banner-words.ts';
import { Banner } from '../components/banner.tsx';
import { PracticeBanner } from '../components/practice-banner.tsx';
import { returnTo, wantedPage, withoutError } from '../return-to.ts';
import { styleNonce } from '../start/content-policy.ts';
import { theme } from '../theme.ts';
import { ADDRESS_BANNER_ID, PRACTICE_BANNER_ID } from './banner-places.ts';

/**
 * What the landing page says to some only: the page itself is the same for everybody.
 * @param code of `?error=CODE`, or null
 */
export function showBanners(root: HTMLElement, code: string | null): void {
  const [practice, address] = [PRACTICE_BANNER_ID, ADDRESS_BANNER_ID].map((id) =>
    root.querySelector(`#${id}`),
  );
  if (practice == null || address == null) return;
  createRoot(practice).render(
    <StrictMode>
      {/* Its variables came with the page, and which colours are drawn is said by the page as well. */}
      <MantineProvider
        theme={theme}
        withCssVariables={false}
        withGlobalClasses={false}
        getRootElement={() => undefined}
        getStyleNonce={styleNonce}
      >
        <PracticeBanner />
        {code !== null && createPortal(<AddressBanner code={code} />, address)}
      </MantineProvider>
    </StrictMode>,
  );
}

/** Until it is dismissed. */
function AddressBanner({ code }: { code: string }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const { pathname, search } = window.location;
  const params = new URLSearchParams(search);
  const dismiss = () => {
    const rest = withoutError(params).toString();
    window.history.replaceState(window.history.state, '', `/${rest === '' ? '' : `?${rest}`}`);
    setDismissed(true);
  };
  return (
    <Container size="lg" w="100%" mt="md">
      <Banner
        words={bannerWords(code, params.get('missing'))}
        returnTo={returnTo({ pathname, search, hash: '' }, wantedPage())}
        onDismiss={dismiss}
      />
    </Container>
  );
}
