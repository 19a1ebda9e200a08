import { Container, MantineProvider } from '@mantine/core';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { bannerCopy } from '../components/banners/banner-copy.ts';
import { Banner } from '../components/banners/banner.tsx';
import { addressOf, returnTo, wantedPage } from '../browser/return-to.ts';
import { styleNonce } from '../start/content-policy.ts';
import { theme } from '../browser/theme.ts';
import { ADDRESS_BANNER_ID } from './address-banner-place.ts';

/**
 * Shows the banner of the address: the prerendered page is the same for all.
 * @param code of `?error=CODE`
 */
export function showAddressBanner(root: HTMLElement, code: string): void {
  const place = root.querySelector(`#${ADDRESS_BANNER_ID}`);
  if (place === null) return;
  createRoot(place).render(
    <StrictMode>
      {/* The page already contains the variables and sets the colour scheme. */}
      <MantineProvider
        theme={theme}
        withCssVariables={false}
        withGlobalClasses={false}
        getRootElement={() => undefined}
        getStyleNonce={styleNonce}
      >
        <AddressBanner code={code} />
      </MantineProvider>
    </StrictMode>,
  );
}

/** Shown until it is dismissed. */
function AddressBanner({ code }: { code: string }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const { pathname, search } = window.location;
  const dismiss = () => {
    window.history.replaceState(window.history.state, '', addressOf(window.location));
    setDismissed(true);
  };
  return (
    <Container size="lg" w="100%" mt="md">
      <Banner
        words={bannerCopy(code, new URLSearchParams(search).get('missing'))}
        returnTo={returnTo({ pathname, search, hash: '' }, wantedPage())}
        onDismiss={dismiss}
      />
    </Container>
  );
}
