" Colours of the language .mpf. tests/driver/editor_words.test compares the words with the grammar.
if exists("b:current_syntax")
  finish
endif

syntax keyword mpfDeclaration model domain var param def factor prob for observe order query include import
syntax keyword mpfKeyword in if where input default leak and
syntax keyword mpfWord evidence best marginals gradient cases posterior
syntax keyword mpfType f32 f64 u64 u128
syntax keyword mpfConstant inf
" Functions are coloured where a parenthesis follows: the words are names elsewhere.
syntax match mpfFunction /\<\(exp\|log\|log2\|log10\|sqrt\|abs\|floor\|ceil\|round\|erf\|lgamma\|min\|max\|state\|size\|nonzero\|sum\|prod\|any\|all\|count\|logsum\|argmax\|argmin\|file\|normalise\|noisyor\|noisymax\|noisymin\|linspace\|samples\|do\|P\)\>\ze\s*(/

syntax match mpfNumber /\<\d\+\(\.\.\@!\d*\)\?\([eE][+-]\?\d\+\)\?/
syntax match mpfNumber /\w\@<!\.\d\+\([eE][+-]\?\d\+\)\?/
syntax match mpfOperator /\.\.\|[=!<>]=\|&&\|||\|[-+*\/%^!<>=~|?:]/
syntax match mpfEscape /\\\(x\x\x\|.\)/ contained
syntax region mpfString start=/"/ skip=/\\./ end=/"\|$/ contains=mpfEscape
syntax region mpfName start=/`/ skip=/\\./ end=/`\|$/ contains=mpfEscape
syntax match mpfComment /#.*$/ contains=@Spell

highlight default link mpfDeclaration Statement
highlight default link mpfKeyword Keyword
highlight default link mpfWord Special
highlight default link mpfType Type
highlight default link mpfConstant Constant
highlight default link mpfFunction Function
highlight default link mpfNumber Number
highlight default link mpfOperator Operator
highlight default link mpfEscape SpecialChar
highlight default link mpfString String
highlight default link mpfName Identifier
highlight default link mpfComment Comment

let b:current_syntax = "mpf"
