// Only for browsers without modules: says at once why they show nothing. Written in what all of them understand.
document.querySelector('.too-old').style.visibility = 'visible'
