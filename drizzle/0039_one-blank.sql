-- A first answer has one blank: a click, a sentence, and it leaves. A changed template stays as it is.
UPDATE templates SET text = replace(text, '{?when you could talk}', 'Write two times that suit you, and we take one of them.')
WHERE name = 'First answer' AND text = 'Hello {name},

thank you for your request: {service}. {?one sentence on what you understood}

The next step is a talk of 30 minutes, free and without obligation. {?when you could talk}

Best regards';
