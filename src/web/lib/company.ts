import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';

/** Only our own server puts the company into the document; otherwise the product name is all there is. */
export function readCompany(): Company {
  return {
    name: metaContent(COMPANY_META.name) ?? 'SmartPause',
    address: metaContent(COMPANY_META.address),
    contact: metaContent(COMPANY_META.contact),
  };
}

function metaContent(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' ? null : content;
}
