export interface Tab {
  leadTo: (address: string) => void;
  close: () => void;
}

/**
 * Opens a tab while the click is still being handled, so that it is not taken for a popup; where it leads may be
 * known later. Null: the browser refused all the same.
 */
export function openTab(): Tab | null {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return null;
  // Whoever is shown there has no hold on this page.
  tab.opener = null;
  return {
    leadTo: (address) => tab.location.replace(address),
    close: () => tab.close(),
  };
}
