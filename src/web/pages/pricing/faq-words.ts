export interface Question {
  question: string;
  answer: string;
}

/** What people ask before they pay; to whom no trial is left, none is promised. */
export function pricingQuestions(withTrial: boolean): Question[] {
  return [
    {
      question: 'How does SmartPause work?',
      answer:
        'It reads the status of Meta’s ad services around the clock. When a disruption reaches your threshold, the campaigns you switched SmartPause on for are paused; when it is over, exactly those run again, at once, after a delay or the next day. Campaigns without SmartPause are never touched.',
    },
    {
      question: 'Can I cancel anytime?',
      answer: `Yes, in Settings under Billing, without writing to anybody. SmartPause goes on until the end of ${withTrial ? 'the trial or of the period you have paid for' : 'the period you have paid for'}, and nothing is charged after that. Whatever it is holding then, it still resumes.`,
    },
    {
      question: 'Is my data secure?',
      answer:
        'You log in at Facebook and pay at Stripe: we never see your password or your card. Our access to your ad accounts is kept encrypted and never leaves our server. In Settings you can download all we keep about you, revoke our access, or delete your account.',
    },
  ];
}
