import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';

/** What our server says in the document. Another server says nothing of it, and only the product's name is known then. */
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
